// SPDX-License-Identifier: Apache-2.0
// The slot of one run, for inclusion inside the anonymous namespace of a kernel unit.

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline u32 load_four(const u8* p) {
  u32 x;
  __builtin_memcpy(&x, p, 4);
  return x;
}

inline u64 load_eight(const u8* p) {
  u64 x;
  __builtin_memcpy(&x, p, 8);
  return x;
}

inline u32 ascii_slot(const u8* run, int bits) {
  const u32 sum = load_four(run) * kSlotFactors[0] + load_four(run + 4) * kSlotFactors[1] +
                  load_four(run + 6) * kSlotFactors[2];
  return sum >> (32 - bits);
}

// Of any bytes, ten at least: 10 to 40 in valid UTF-8.
inline u32 any_slot(const u8* run, u32 size, int bits) {
  u64 sum = load_eight(run) * kRunFactors[0] + load_eight(run + size - 8) * kRunFactors[1];
  for (u32 at = 8; at + 8 < size; at += 8) sum = (sum ^ load_eight(run + at)) * kRunFactors[2];
  return static_cast<u32>(sum >> (64 - bits));
}
