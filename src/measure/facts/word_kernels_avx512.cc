// SPDX-License-Identifier: Apache-2.0
// Loops over words and n-grams for AVX-512.
#if defined(__x86_64__)

#include <immintrin.h>

#include "measure/internal/word_kernels.h"

namespace headrace::measure::internal {
namespace {

#include "measure/internal/word_kernel_types.inl.h"

INLINE u64 repeated_bits(const u32* number_of, const u32* count) {
  const __m512i one = _mm512_set1_epi32(1);
  u64 bits = 0;
  for (u32 i = 0; i < 64; i += 16) {
    const __m512i n = _mm512_i32gather_epi32(_mm512_loadu_si512(number_of + i), count, 4);
    bits |= u64{_mm512_cmpgt_epu32_mask(n, one)} << i;
  }
  return bits;
}

#include "measure/internal/word_kernels.inl.h"

}  // namespace

const WordKernels kAvx512WordKernels = {look,  number, mark_repeated, firsts,     lengths,
                                        pairs, extend, keep,          count_equal};

}  // namespace headrace::measure::internal

#endif  // __x86_64__
