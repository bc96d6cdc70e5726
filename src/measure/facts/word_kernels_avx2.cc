// SPDX-License-Identifier: Apache-2.0
// Loops over words and n-grams for AVX2.
#if defined(__x86_64__)

#include <immintrin.h>

#include "measure/internal/word_kernels.h"

namespace headrace::measure::internal {
namespace {

#include "measure/internal/word_kernel_types.inl.h"

INLINE u64 repeated_bits(const u32* number_of, const u32* count) {
  const __m256i one = _mm256_set1_epi32(1);
  u64 bits = 0;
  for (u32 i = 0; i < 64; i += 8) {
    const __m256i number = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(number_of + i));
    const __m256i n = _mm256_i32gather_epi32(reinterpret_cast<const int*>(count), number, 4);
    const __m256 more = _mm256_castsi256_ps(_mm256_cmpgt_epi32(n, one));
    bits |= u64{static_cast<u32>(_mm256_movemask_ps(more))} << i;
  }
  return bits;
}

#include "measure/internal/word_kernels.inl.h"

}  // namespace

const WordKernels kAvx2WordKernels = {look,  number, mark_repeated, firsts,     lengths,
                                      pairs, extend, keep,          count_equal};

}  // namespace headrace::measure::internal

#endif  // __x86_64__
