// SPDX-License-Identifier: Apache-2.0
// Finds the first place in a text that a step may have to change.
//
// Clean text must cost memory speed, and what is clean cannot be told by the lead byte alone: the
// comma of Chinese (EF BC 8C) begins like the byte order mark (EF BB BF). So a pattern looks at
// three neighbouring bytes, without branches, and the compiler turns it into compares of 16 or more
// places at once. False alarms are allowed: the step looks at each suspect exactly.
#pragma once

#include <cstddef>
#include <string_view>

namespace headrace::normalize::internal {

// First i >= from where Pattern::matches(text[i], text[i + 1], text[i + 2]) is not 0; text.size()
// if there is none. Bytes beyond the end count as 'x'. The pattern must be made of `&`, `|` and
// compares of unsigned char, and must not match ('x', 'x', 'x').
template <class Pattern>
std::size_t find_suspect(std::string_view text, std::size_t from) {
  constexpr std::size_t kBlock = 32;
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const std::size_t size = text.size();
  std::size_t i = from;
  while (i + kBlock + 2 <= size) {
    const unsigned char* p = bytes + i;
    unsigned char any = 0;
    for (std::size_t k = 0; k < kBlock; ++k) any |= Pattern::matches(p[k], p[k + 1], p[k + 2]);
    if (any != 0) break;
    i += kBlock;
  }
  for (; i < size; ++i) {
    const unsigned char second = i + 1 < size ? bytes[i + 1] : 'x';
    const unsigned char third = i + 2 < size ? bytes[i + 2] : 'x';
    if (Pattern::matches(bytes[i], second, third) != 0) return i;
    if (i + 1 == size) break;
  }
  return size;
}

// Compares for patterns: 0 or 1 as a byte.
constexpr unsigned char is(unsigned char byte, unsigned char value) { return byte == value; }
constexpr unsigned char within(unsigned char byte, unsigned char low, unsigned char high) {
  return static_cast<unsigned char>(byte - low) <= static_cast<unsigned char>(high - low);
}

}  // namespace headrace::normalize::internal
