// SPDX-License-Identifier: Apache-2.0
// Short names and the character decoder, for inclusion inside the anonymous namespace of a kernel
// unit (see text_scan.inl.h).

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

#define INLINE inline __attribute__((always_inline))

// Class masks of 64 bytes as classify() gives them: set at first bytes, not yet cut at the end of
// the text.
struct Masks {
  u64 non_ascii, continuation, newline;
  u64 letter, digit, upper, space, punct, han, end_mark, closer;
};

INLINE u32 popcount(u64 bits) { return static_cast<u32>(__builtin_popcountll(bits)); }

// The code point that starts with the byte p[0] >= 0xC0. Continuation bytes are not checked.
INLINE u32 decode(const u8* p) {
  const u32 b = p[0];
  if (b < 0xE0) return (b & 31) << 6 | (p[1] & 63u);
  if (b < 0xF0) return (b & 15) << 12 | (p[1] & 63u) << 6 | (p[2] & 63u);
  return (b & 7) << 18 | (p[1] & 63u) << 12 | (p[2] & 63u) << 6 | (p[3] & 63u);
}

// The code point that starts at p, as the little-endian number of its own bytes.
INLINE u32 code_at(const u8* p) {
  u32 x;
  __builtin_memcpy(&x, p, 4);
  const u32 b = p[0];
  return x & (b < 0xC0 ? 0xFF : b < 0xE0 ? 0xFFFF : b < 0xF0 ? 0xFFFFFF : 0xFFFFFFFF);
}

INLINE u8 class_of(u32 code_point) {
  if (code_point < kCharClassTableSize) return kCharClassTable[code_point];
  return code_point < 0x40000 ? kHan : 0;
}

// First bytes E4 to E9 are Han characters but for E4 B7 (hexagrams), whatever continues them: the
// rule of the vector kernels, stated here so that all agree on invalid bytes too.
INLINE bool is_han_lead(const u8* p) {
  return p[0] >= 0xE4 && p[0] <= 0xE9 && !(p[0] == 0xE4 && p[1] == 0xB7);
}

// For code points that the vector kernels have no rule for.
// Adds the classes of the first bytes `rare`, one at a time through the table. Bits are moved
// rather than tested: which class comes next is unpredictable in mixed text.
[[maybe_unused]] __attribute__((noinline)) void add_rare(const u8* p, u64 rare, Masks* m) {
  for (; rare; rare &= rare - 1) {
    const int i = __builtin_ctzll(rare);
    const u64 classes = class_of(decode(p + i));
    m->letter |= (classes & 1) << i;
    m->digit |= (classes >> 1 & 1) << i;
    m->upper |= (classes >> 2 & 1) << i;
    m->space |= (classes >> 3 & 1) << i;
    m->punct |= (classes >> 4 & 1) << i;
    m->han |= (classes >> 5 & 1) << i;
    m->end_mark |= (classes >> 6 & 1) << i;
    m->closer |= (classes >> 7 & 1) << i;
  }
}
