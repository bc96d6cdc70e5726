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
  std::uint32_t data_juicer_special = 0;
  std::uint32_t mojibake = 0;
  std::uint32_t encoded_data = 0;
  std::uint32_t urls = 0;  // URLs
  std::uint32_t url_code_points = 0;
  std::uint32_t indented_lines = 0;  // lines
  std::uint32_t code_lines = 0;      // lines
};

// Keeps 140 KiB. One per thread.
class CharacterCounter {
 public:
  CharacterFacts count(const TextView& view);
};

}  // namespace headrace::measure
