// SPDX-License-Identifier: Apache-2.0
// Which slot of a table each run of ten code points has, 64 runs at a time: one kernel for each
// instruction set. Plain types only, because the units that define them are compiled for an
// instruction set each.
#pragma once

#include <cstdint>

namespace headrace::measure::internal {

// Odd numbers without structure: the top bits of a sum of products depend on all bytes. A run of
// ten bytes is three overlapping words of four.
inline constexpr std::uint64_t kRunFactors[4] = {0xa0761d6478bd642f, 0xe7037ed1a0b428db,
                                                 0x8ebc6af09c88c6e3, 0x589965cc75374cc3};
inline constexpr std::uint32_t kSlotFactors[3] = {0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D};

struct RunSlots {
  // The slots, `bits` wide, of the runs that begin at the bytes text[0] to text[63], each of ten
  // bytes. 84 bytes are readable at `text`.
  void (*ascii)(const unsigned char* text, int bits, std::uint32_t* slots);
  // The same of `count` runs of any size, run i from byte begin[i] to byte begin[i + 10] of the
  // text, behind which 32 more are readable. Runs of ten bytes have the same slots as above.
  void (*utf8)(const unsigned char* text, const std::uint32_t* begin, std::uint32_t count, int bits,
               std::uint32_t* slots);
};

extern const RunSlots kScalarRunSlots;
#if defined(__x86_64__)
extern const RunSlots kAvx2RunSlots;
#endif

}  // namespace headrace::measure::internal
