// SPDX-License-Identifier: Apache-2.0
// Kernels without vector instructions.
//
// A 64-bit multiplication gathers one bit of eight bytes into one byte, so that a mask costs eight
// of them.
#include "tokenize/mask_split.h"
#include "tokenize/unicode_classes.h"

namespace headrace::tokenize {
namespace {

#include "tokenize/internal/mask_types.inl.h"

struct Block {
  INLINE explicit Block(const u8* p) { __builtin_memcpy(bytes, p, sizeof(bytes)); }
  INLINE Block(const u8* p, u32 size) {
    __builtin_memset(bytes, 0, sizeof(bytes));
    __builtin_memcpy(bytes, p, size);
  }

  u64 le(u8 byte) const {
    return mask([byte](u8 x) -> u8 { return x <= byte; });
  }
  u64 ge(u8 byte) const {
    return mask([byte](u8 x) -> u8 { return x >= byte; });
  }
  u64 eq(u8 byte) const {
    return mask([byte](u8 x) -> u8 { return x == byte; });
  }

  template <MaskFamily kFamily>
  void ascii(const MaskTables& tables, BlockMasks* m) const {
    u8 classes[64];
    for (int i = 0; i < 64; ++i) classes[i] = tables.ascii[bytes[i] & 127];
    m->letter = gather(classes, 0);
    m->number = gather(classes, 1);
    m->upper = gather(classes, 2);
    m->space = gather(classes, 3);
    m->newline = gather(classes, 4);
    m->sign = gather(classes, 5);
    m->hard = gather(classes, 6);
  }

 private:
  static u64 gather(const u8* of, int bit) {
    u64 all = 0;
    for (int i = 0; i < 8; ++i) {
      u64 x;
      __builtin_memcpy(&x, of + 8 * i, 8);
      all |= ((x >> bit & 0x0101010101010101) * 0x0102040810204080 >> 56) << (8 * i);
    }
    return all;
  }
  template <class Test>
  u64 mask(Test test) const {
    u8 found[64];
    for (int i = 0; i < 64; ++i) found[i] = test(bytes[i]);
    return gather(found, 0);
  }

  u8 bytes[64];
};

INLINE u32 positions(u64 bits, u32 base, u32* out) {
  const auto count = static_cast<u32>(__builtin_popcountll(bits));
  for (; bits != 0; bits &= bits - 1) *out++ = base + static_cast<u32>(__builtin_ctzll(bits));
  return count;
}

#include "tokenize/internal/mask_classify.inl.h"
#include "tokenize/internal/mask_common.inl.h"
#include "tokenize/internal/mask_families.inl.h"
#include "tokenize/internal/mask_split.inl.h"

}  // namespace

const MaskKernels kScalarMaskKernels = kKernels;

}  // namespace headrace::tokenize
