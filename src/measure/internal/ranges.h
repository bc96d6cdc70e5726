// SPDX-License-Identifier: Apache-2.0
// Masks of a TextView (record/text_block.h), cut to a range of bytes.
#pragma once

#include <bit>
#include <cstdint>

#include "record/text_view.h"

namespace headrace::measure {

// Calls look(block, bits) for each block that the range reaches, with the bits that lie in it,
// until that returns false. An empty range has no block.
template <class Look>
void for_blocks(const TextView& view, TextRange range, Look look) {
  if (range.begin >= range.end) return;
  const std::uint32_t last = (range.end - 1) / 64;
  std::uint64_t bits = ~std::uint64_t{0} << (range.begin % 64);
  for (std::uint32_t index = range.begin / 64; index < last; ++index) {
    if (!look(view.blocks[index], bits)) return;
    bits = ~std::uint64_t{0};
  }
  look(view.blocks[last], bits & (~std::uint64_t{0} >> (63 - (range.end - 1) % 64)));
}

// Where the code point begins that holds the byte before `position`, at least 1.
inline std::uint32_t code_point_before(const TextView& view, std::uint32_t position) {
  --position;
  while (position > 0 && (static_cast<unsigned char>(view.text[position]) & 0xC0) == 0x80) {
    --position;
  }
  return position;
}

inline bool has_bit(std::uint64_t mask, std::uint32_t position) {
  return (mask >> (position % 64) & 1) != 0;
}

}  // namespace headrace::measure
