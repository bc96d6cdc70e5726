// SPDX-License-Identifier: Apache-2.0
// How much a piece of text weighs, and its blanks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headrace::normalize::internal {

struct TextWeight {
  std::uint32_t weight = 0;  // see HtmlBlock
  std::uint32_t marks = 0;   // sentence marks
};
TextWeight weigh(std::string_view text);

inline bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Length of the white space at `i`, 0 if there is none: blanks and line ends of ASCII and Unicode.
std::size_t wide_white_length(std::string_view text, std::size_t i);  // where a byte is above 0x7F
inline std::size_t white_length(std::string_view text, std::size_t i) {
  if (i >= text.size()) return 0;
  const auto a = static_cast<unsigned char>(text[i]);
  if (a > ' ' && a < 0xC2) return 0;
  if (a < 0x80) return a == ' ' || (a >= '\t' && a <= '\r') || a >= 0x1C ? 1 : 0;
  return a > 0xE3 ? 0 : wide_white_length(text, i);
}
std::string_view trim_white(std::string_view text);

// Folds text[from, end) in place: each line loses the blanks at its ends, runs inside become one
// space (one U+3000 where the run is that alone), lines without text go.
void fold_lines(std::string* text, std::size_t from);

}  // namespace headrace::normalize::internal
