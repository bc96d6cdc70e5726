// SPDX-License-Identifier: Apache-2.0
// Loops over words and n-grams without vector instructions, and the choice between the three.
#include "measure/internal/word_kernels.h"

namespace headrace::measure::internal {
namespace {

#include "measure/internal/word_kernel_types.inl.h"

INLINE u64 repeated_bits(const u32* number_of, const u32* count) {
  u64 bits = 0;
  for (u32 i = 0; i < 64; ++i) bits |= u64{count[number_of[i]] > 1 ? 1u : 0u} << i;
  return bits;
}

#include "measure/internal/word_kernels.inl.h"

}  // namespace

const WordKernels kScalarWordKernels = {look,  number, mark_repeated, firsts,     lengths,
                                        pairs, extend, keep,          count_equal};

const WordKernels& word_kernels(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512WordKernels;
  if (level == SimdLevel::kAvx2) return kAvx2WordKernels;
#endif
  static_cast<void>(level);
  return kScalarWordKernels;
}

}  // namespace headrace::measure::internal
