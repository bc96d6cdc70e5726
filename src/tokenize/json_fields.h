// SPDX-License-Identifier: Apache-2.0
// Reading a JSON object field by field, so that nothing in it goes unread.
#pragma once

#include <initializer_list>
#include <simdjson.h>
#include <string>
#include <string_view>

#include "headrace/result.h"

namespace headrace::tokenize {

using JsonElement = simdjson::dom::element;
using JsonObject = simdjson::dom::object;

// A value as an error message shows it: JSON, cut after some 200 bytes.
std::string shown(const JsonElement& value);

// Unsupported: a field that is not among `known`, by its name. `where` reads like "model".
Result<void> check_fields(const JsonObject& object, std::string_view where,
                          std::initializer_list<std::string_view> known);

// Unsupported: the field is there and neither null nor one of `allowed` (as shown() writes them).
Result<void> check_only(const JsonObject& object, std::string_view where, std::string_view field,
                        std::initializer_list<std::string_view> allowed);

bool is_null_or_absent(const JsonObject& object, std::string_view field);

// Corrupt: the field is of another type, or, without a default, missing.
Result<bool> bool_field(const JsonObject& object, std::string_view where, std::string_view field,
                        bool if_absent);
Result<std::string> string_field(const JsonObject& object, std::string_view where,
                                 std::string_view field);
Result<JsonObject> object_of(const JsonElement& value, std::string_view where);

}  // namespace headrace::tokenize
