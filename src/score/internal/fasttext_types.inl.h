// SPDX-License-Identifier: Apache-2.0
// Short names, characters and keys, for inclusion inside an anonymous namespace: of a kernel unit
// (see fasttext_kernels.inl.h), or of what makes tables for them.

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ using u128 = unsigned __int128;
// One row of small numbers, and 16 outputs; g++ splits them into what the unit's registers hold.
using Row = i32 __attribute__((vector_size(64), aligned(64), may_alias));
using Lanes = float __attribute__((vector_size(64), aligned(64), may_alias));

#define INLINE inline __attribute__((always_inline))

constexpr u64 kMalformed = ~u64{0};

// A byte as the hash takes it.
INLINE u32 sign_extended(u32 byte) {
  return static_cast<u32>(static_cast<i32>(static_cast<signed char>(byte)));
}

INLINE bool is_continuation(u8 byte) { return (byte & 0xC0) == 0x80; }

// The characters of a token, one at a time, as decode_chars() of a unit gives them.
INLINE u64 decode_singly(const u8* p, u64 size, u32* out) {
  u64 count = 0;
  if (is_continuation(p[0])) return kMalformed;
  for (u64 i = 0; i < size;) {
    u32 c = p[i++];
    for (u32 shift = 8; i < size && is_continuation(p[i]); shift += 8) {
      if (shift == 32) return kMalformed;
      c |= static_cast<u32>(p[i++]) << shift;
    }
    out[count++] = c;
  }
  return count;
}

INLINE u64 fold_128(u64 a, u64 b) {
  const u128 product = static_cast<u128>(a) * b;
  return static_cast<u64>(product) ^ static_cast<u64>(product >> 64);
}

INLINE u64 hash_key(WordKey key) {
  const u64 h = fold_128(key.low ^ 0x9E3779B97F4A7C15, key.high ^ 0xE7037ED1A0B428DB);
  return (h * 0xD6E8FEB86659FD93 ^ key.low) >> 20;
}
