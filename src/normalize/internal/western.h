// SPDX-License-Identifier: Apache-2.0
// Text of Western Europe in one byte per character.
#pragma once

#include <cstddef>
#include <string_view>

namespace headrace::normalize::internal {

struct WesternReading {
  std::size_t characters = 0;  // above 0x7F
  bool sure = false;           // they read as windows-1252, and as nothing else
};

// Stops at the first byte that no text in windows-1252 holds at its place.
WesternReading read_as_western(std::string_view head);

// Whether a quotation mark, apostrophe, dash or ellipsis may stand between these two characters.
bool typographic_in_place(char32_t left, char32_t c, char32_t right);

}  // namespace headrace::normalize::internal
