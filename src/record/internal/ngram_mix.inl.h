// SPDX-License-Identifier: Apache-2.0
// The 64 bits of a code point, for inclusion inside the anonymous namespace of a kernel unit. Two
// rounds in 32 bits, a bijection, then one product of twice the width: what vectors without a
// multiplication of 64 bits do well.

#include "record/internal/text_scan_types.inl.h"

constexpr u32 kMixA = 0x9E3779B1;
constexpr u32 kMixB = 0x85EBCA6B;
constexpr u32 kMixC = 0xC2B2AE3D;

INLINE u64 mix_code(u32 code) {
  u32 x = code * kMixA;
  x = (x ^ x >> 15) * kMixB;
  x ^= x >> 13;
  const u64 product = u64{x} * kMixC;
  return product ^ (product << 32);
}
