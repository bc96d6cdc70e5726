// SPDX-License-Identifier: Apache-2.0
// Finds the first place in a text that a step may have to change.
//
// Clean text must cost memory speed, and what is clean cannot be told by the lead byte alone: the
// comma of Chinese (EF BC 8C) begins like the byte order mark (EF BB BF). So a pattern looks at
// three neighbouring bytes, without branches, at 16 places at once. False alarms are allowed: the
// step looks at each suspect exactly.
//
// The vectors are those of the compiler (GCC and clang), which every machine has in 16 bytes; loops
// left to the vectoriser were tried and gave 2.4 GB/s for one pattern and 0.1 for another.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace headrace::normalize::internal {

using Bytes16 = unsigned char __attribute__((vector_size(16)));
using Mask16 = signed char __attribute__((vector_size(16)));

// Compares for patterns: all bits or none, of one byte or of 16.
inline unsigned char is(unsigned char byte, unsigned char value) {
  return byte == value ? 0xFF : 0;
}
inline Mask16 is(Bytes16 bytes, unsigned char value) { return bytes == value; }

// low <= byte <= high, also where that wraps around 255.
inline unsigned char within(unsigned char byte, unsigned char low, unsigned char high) {
  const auto above = static_cast<unsigned char>(byte - low);
  return above <= static_cast<unsigned char>(high - low) ? 0xFF : 0;
}
inline Mask16 within(Bytes16 bytes, unsigned char low, unsigned char high) {
  return bytes - low <= static_cast<unsigned char>(high - low);
}

// Index of the first marked byte, 16 if there is none.
inline std::size_t first_marked(Mask16 mask) {
  std::uint64_t halves[2];
  std::memcpy(halves, &mask, sizeof halves);
  if constexpr (std::endian::native == std::endian::little) {
    if (halves[0] != 0) return static_cast<std::size_t>(std::countr_zero(halves[0])) / 8;
    return 8 + static_cast<std::size_t>(std::countr_zero(halves[1])) / 8;
  }
  if (halves[0] != 0) return static_cast<std::size_t>(std::countl_zero(halves[0])) / 8;
  return 8 + static_cast<std::size_t>(std::countl_zero(halves[1])) / 8;
}

// First i >= from where Pattern::matches(text[i], text[i + 1], text[i + 2]) is not 0; text.size()
// if there is none. Bytes beyond the end count as 'x'. A pattern is a template over one byte or 16,
// made of is(), within(), & and |; it must not match ('x', 'x', 'x').
template <class Pattern>
std::size_t find_suspect(std::string_view text, std::size_t from) {
  const auto load = [&](std::size_t at) {
    Bytes16 bytes;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    return bytes;
  };
  std::size_t i = from;
  for (; i + sizeof(Bytes16) + 2 <= text.size(); i += sizeof(Bytes16)) {
    const std::size_t first = first_marked(Pattern::matches(load(i), load(i + 1), load(i + 2)));
    if (first < sizeof(Bytes16)) return i + first;
  }
  const auto byte = [&](std::size_t at) {
    return at < text.size() ? static_cast<unsigned char>(text[at])
                            : static_cast<unsigned char>('x');
  };
  for (; i < text.size(); ++i) {
    if (Pattern::matches(byte(i), byte(i + 1), byte(i + 2)) != 0) return i;
  }
  return text.size();
}

}  // namespace headrace::normalize::internal
