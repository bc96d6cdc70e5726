// SPDX-License-Identifier: Apache-2.0
// The definitions of TextView and of the character classes a second time, for tests: one code point
// after another, classes asked of ICU, nothing shared with the kernels.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headrace {

// Class bits by ICU's properties (record/char_class.h).
std::uint8_t slow_char_class(std::uint32_t code_point);

struct SlowView {
  explicit SlowView(std::string_view text);  // valid UTF-8

  std::string text;
  std::vector<std::uint32_t> code_points;
  std::vector<std::uint8_t> classes;
  std::vector<std::uint32_t> offsets;  // of each code point, and of the end
  std::vector<std::string> words;
  std::vector<std::uint32_t> word_begin;
  std::vector<std::uint32_t> word_end;
  std::vector<std::uint32_t> sentence_ends;
  std::vector<std::string> lines;  // not blank, trimmed

  std::size_t count(std::uint8_t class_bit) const;
  std::size_t count_symbols() const;
};

}  // namespace headrace
