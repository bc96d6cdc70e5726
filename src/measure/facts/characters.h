// SPDX-License-Identifier: Apache-2.0
// Single characters of a text and what they form (URLs, encoded data, decoding garbage, lines of
// code), counted in one walk over the blocks of the view.
#pragma once

#include <cstdint>
#include <vector>

#include "record/text_view.h"

namespace headrace::measure {

// Code points, unless said otherwise. Each is defined in the measure that reports it.
struct CharacterFacts {
  std::uint32_t ascii = 0;
  std::uint32_t distinct = 0;     // different code points
  std::uint32_t longest_run = 0;  // of one code point
  std::uint32_t brackets = 0;
  std::uint32_t curly_braces = 0;
  std::uint32_t control = 0;
  std::uint32_t replacement = 0;  // U+FFFD
  std::uint32_t emoji = 0;
  std::uint32_t special_chars = 0;
  std::uint32_t mojibake = 0;
  std::uint32_t encoded_data = 0;
  std::uint32_t urls = 0;  // URLs
  std::uint32_t url_code_points = 0;
  std::uint32_t indented_lines = 0;  // lines
  std::uint32_t code_lines = 0;      // lines
};

// Keeps 128 KiB (2 MiB after a text with characters beyond U+1FFFF), and 8 bytes per code point of
// the longest text up to 2 MiB. One per thread.
class CharacterCounter {
 public:
  CharacterCounter();

  CharacterFacts count(const TextView& view);

 private:
  void count_ascii(const TextView& view, CharacterFacts* facts);
  void count_others(const TextView& view, CharacterFacts* facts);

  std::vector<std::uint8_t> state_;   // per code point: its flags, and whether it has been seen
  std::vector<std::uint32_t> found_;  // the different code points that are not ASCII
  std::vector<std::uint32_t> url_marks_;
  std::vector<std::uint32_t> encoded_;
};

}  // namespace headrace::measure
