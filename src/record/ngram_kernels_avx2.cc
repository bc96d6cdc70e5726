// SPDX-License-Identifier: Apache-2.0
// Hashes of code points for AVX2: blocks of ASCII are widened, others go code point by code point.
#if defined(__x86_64__)

#include <immintrin.h>

#include "record/char_class.h"
#include "record/internal/ngram_kernels.h"

namespace headrace::internal {
namespace {

#include "record/internal/text_scan_types.inl.h"

INLINE u64 codes(const u8* p, u64 lead, u32* out) {
  const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32));
  if (_mm256_movemask_epi8(_mm256_or_si256(low, high)) == 0) {
    for (int i = 0; i < 64; i += 8) {
      const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + i));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_cvtepu8_epi32(bytes));
    }
    return popcount(lead);  // all leading ones: only the end of the text cuts them
  }
  const u64 count = popcount(lead);
  for (; lead; lead = _blsr_u64(lead)) *out++ = code_at(p + _tzcnt_u64(lead));
  return count;
}

#include "record/internal/ngram_kernels.inl.h"

}  // namespace

const NgramKernels kAvx2NgramKernels = {hash_code_points, combine};

}  // namespace headrace::internal

#endif  // __x86_64__
