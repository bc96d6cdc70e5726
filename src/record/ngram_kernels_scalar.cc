// SPDX-License-Identifier: Apache-2.0
// Hashes of code points without vector instructions.
#include "record/char_class.h"
#include "record/internal/ngram_kernels.h"

namespace headrace::internal {
namespace {

#include "record/internal/ngram_mix.inl.h"

INLINE u64 codes(const u8* p, u64 lead, u32* out) {
  const u64 count = popcount(lead);
  for (; lead; lead &= lead - 1) *out++ = code_at(p + __builtin_ctzll(lead));
  return count;
}

INLINE void mix_sixteen(const u32* codes, u64* out) {
  for (u32 i = 0; i < 16; ++i) out[i] = mix_code(codes[i]);
}

#include "record/internal/ngram_kernels.inl.h"

}  // namespace

const NgramKernels kScalarNgramKernels = {hash_code_points, combine};

}  // namespace headrace::internal
