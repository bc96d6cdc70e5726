// SPDX-License-Identifier: Apache-2.0
// Values of Arrow arrays as JSON.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <arrow/array.h>

namespace headrace::read {

// Appends array[row] as JSON:
//   integers, decimals   a number of exactly their digits, however many
//   floats               the shortest form that reads back the same; not finite: null
//   strings              a JSON string
//   binary               a JSON string if valid UTF-8, else {"base64": "..."}
//   lists, structs       arrays, objects; maps: an array of [key, value]
//   dates, times         a string as Arrow shows them, to the column's unit: "1970-01-01",
//                        "12:00:00", "1970-01-01 12:00:00.000"; with a time zone the instant in
//                        UTC, "Z" behind it. What is out of range (a time past midnight, years
//                        beyond 32767, a date with a time of day) is the number in the column's
//                        unit.
//   durations            a string with the number
// `without`: names that lead from here to a member of nested structs that is left out.
void append_json(const arrow::Array& array, std::int64_t row, std::span<const std::string> without,
                 std::string* json);

// The text of a string-like value (string, binary, of any offset width, view or dictionary);
// false for other types. A null value has no text: ask is_null() first.
bool string_value(const arrow::Array& array, std::int64_t row, std::string_view* text);

}  // namespace headrace::read
