// SPDX-License-Identifier: Apache-2.0
// Small questions about pieces of JSON text (RFC 8259).
#pragma once

#include <string>
#include <string_view>

namespace headrace::read {

enum class JsonEscape { kGood, kBad, kUnpaired };  // kUnpaired: a surrogate without its other half

// Replaces `text` by what `raw`, the bytes between the quotes of a string, stands for.
JsonEscape unescape_json(std::string_view raw, std::string* text);

// Appends `text` as a JSON string with its quotes; only what JSON demands is escaped.
void append_json_string(std::string_view text, std::string* json);

// Whether all of `token` is a number.
bool is_json_number(std::string_view token);

// Whether `line` is the front of an object that does not end.
bool is_cut_off_object(std::string_view line);

std::string_view trim_json_space(std::string_view text);

}  // namespace headrace::read
