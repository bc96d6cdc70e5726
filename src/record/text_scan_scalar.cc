// SPDX-License-Identifier: Apache-2.0
// Kernels without vector instructions: a class byte per byte, then masks by multiplication.
//
// A 64-bit multiplication gathers bit k of eight bytes into one byte; so a block costs eight times
// eight of them instead of a test per byte and class.
#include "record/char_class.h"
#include "record/internal/text_scan.h"

namespace headrace::internal {
namespace {

#include "record/internal/text_scan_types.inl.h"

INLINE u64 gather_bits(const u8* bytes, int bit) {
  u64 mask = 0;
  for (int i = 0; i < 8; ++i) {
    u64 x;
    __builtin_memcpy(&x, bytes + 8 * i, 8);
    mask |= ((((x >> bit) & 0x0101010101010101) * 0x0102040810204080) >> 56) << (8 * i);
  }
  return mask;
}

struct Classifier {
  INLINE void operator()(const u8* p, Masks* m) const {
    alignas(64) u8 classes[64];
    m->non_ascii = 0;
    m->continuation = 0;
    m->newline = 0;
    for (int i = 0; i < 64; ++i) {
      const u8 b = p[i];
      m->non_ascii |= u64{b >= 0x80} << i;
      m->newline |= u64{b == '\n'} << i;
      if (b < 0x80) {
        classes[i] = kCharClassTable[b];
      } else if (b < 0xC0) {
        classes[i] = 0;
        m->continuation |= u64{1} << i;
      } else {
        classes[i] = is_han_lead(p + i) ? u8{kHan} : class_of(decode(p + i));
      }
    }
    m->letter = gather_bits(classes, 0);
    m->digit = gather_bits(classes, 1);
    m->upper = gather_bits(classes, 2);
    m->space = gather_bits(classes, 3);
    m->punct = gather_bits(classes, 4);
    m->han = gather_bits(classes, 5);
    m->end_mark = gather_bits(classes, 6);
    m->closer = gather_bits(classes, 7);
  }
};

INLINE Classifier make_classifier() { return {}; }

INLINE u32 positions(u64 bits, u32 base, u32* out) {
  const u32 count = popcount(bits);
  for (; bits; bits &= bits - 1) *out++ = base + static_cast<u32>(__builtin_ctzll(bits));
  return count;
}

INLINE u64 low_bytes(u64 x, u32 n) { return n >= 8 ? x : x & ((u64{1} << (8 * n)) - 1); }

#include "record/internal/text_scan.inl.h"

}  // namespace

const TextKernels kScalarTextKernels = {scan, hash_words_singly};

}  // namespace headrace::internal
