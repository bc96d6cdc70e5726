// SPDX-License-Identifier: Apache-2.0
// The loops of fastText models without vector instructions.
#include "score/internal/fasttext_kernels.h"

namespace headrace::score::internal {
namespace {

#include "score/internal/fasttext_types.inl.h"

INLINE u64 separators(const u8* p) {
  u64 bits = 0;
  for (u32 i = 0; i < 64; ++i) {
    const u64 found = p[i] == ' ' || (p[i] >= 9 && p[i] <= 13) || p[i] == 0;
    bits |= found << i;
  }
  return bits;
}

INLINE void widen16(const u8* p, u32* out) {
  for (u32 i = 0; i < 16; ++i) out[i] = p[i];
}

INLINE u64 decode_chars(const u8* p, u64 size, u32* out, u64* used) {
  // A piece must not end inside a character: the next would begin with a continuation byte.
  u64 piece = size < 60 ? size : 60;
  while (piece < size && is_continuation(p[piece])) {
    if (++piece == 64) return kMalformed;
  }
  *used = piece;
  return decode_singly(p, piece, out);
}

INLINE u32 step(u32 h, u32 c) {
  do {
    h = (h ^ sign_extended(c & 0xFF)) * kHashPrime;
    c >>= 8;
  } while (c != 0);
  return h;
}

u32 find_hits(const GramTables& t, const u32* chars, u32 begin, u32 end, u32* hits) {
  u32 found = 0;
  for (u32 i = begin; i < end; ++i) {
    u32 h = kFirstHash;
    for (u32 n = 1; n <= t.max_gram && chars[i + n - 1] != 0; ++n) {
      h = step(h, chars[i + n - 1]);
      if (n < t.min_gram) continue;
      const u32 bucket = h % t.buckets;
      hits[found] = bucket;
      found += t.present[bucket >> 5] >> (bucket & 31) & 1;
    }
  }
  return found;
}

#include "score/internal/fasttext_kernels.inl.h"

}  // namespace

const FastTextKernels kScalarFastTextKernels = {sum_grams, sum_folded,  add_rows,
                                                multiply,  exponential, sigmoid};

}  // namespace headrace::score::internal
