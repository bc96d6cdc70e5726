// SPDX-License-Identifier: Apache-2.0
// Which slot of a table each run of ten code points has, 64 runs at a time: one kernel for each
// instruction set. Plain types only, because the units that define them are compiled for an
// instruction set each.
#pragma once

#include <cstdint>

namespace headrace::measure::internal {

// A run of ten bytes is three overlapping words of four, and its slot the top bits of a sum of
// products.
inline constexpr std::uint32_t kSlotFactors[3] = {0x9E3779B1, 0x85EBCA77, 0xC2B2AE3D};

// The slots, `bits` wide, of the runs that begin at the bytes text[0] to text[63], each of ten
// bytes. 84 bytes are readable at `text`.
using AsciiRunSlots = void (*)(const unsigned char* text, int bits, std::uint32_t* slots);

void ascii_run_slots_scalar(const unsigned char* text, int bits, std::uint32_t* slots);
#if defined(__x86_64__)
void ascii_run_slots_avx2(const unsigned char* text, int bits, std::uint32_t* slots);
#endif

}  // namespace headrace::measure::internal
