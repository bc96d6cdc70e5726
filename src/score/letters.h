// SPDX-License-Identifier: Apache-2.0
// Letters of a text, and Han characters as tokens of their own.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headrace::score {

// Code points that are letters, marks or Han characters (record/char_class.h), counted up to
// `enough`. Malformed bytes are none.
std::size_t count_letters(std::string_view text, std::size_t enough);

// Writes `text` with a blank on both sides of each Han character, so that a model of words sees
// them as words and their runs. All else stays.
void split_han(std::string_view text, std::string* out);

}  // namespace headrace::score
