// SPDX-License-Identifier: Apache-2.0
// Hashes of code points for AVX2: blocks of ASCII are widened, others go code point by code point.
#if defined(__x86_64__)

#include <immintrin.h>

#include "record/char_class.h"
#include "record/internal/ngram_kernels.h"

namespace headrace::internal {
namespace {

#include "record/internal/ngram_mix.inl.h"

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

INLINE void mix_sixteen(const u32* codes, u64* out) {
  const auto splat = [](u32 x) { return _mm256_set1_epi32(static_cast<int>(x)); };
  for (u32 i = 0; i < 16; i += 8) {
    __m256i x = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(codes + i));
    x = _mm256_mullo_epi32(x, splat(kMixA));
    x = _mm256_mullo_epi32(_mm256_xor_si256(x, _mm256_srli_epi32(x, 15)), splat(kMixB));
    x = _mm256_xor_si256(x, _mm256_srli_epi32(x, 13));
    const auto store = [&](u32 at, __m128i four) {
      const __m256i product = _mm256_mul_epu32(_mm256_cvtepu32_epi64(four), splat(kMixC));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + at),
                          _mm256_xor_si256(product, _mm256_slli_epi64(product, 32)));
    };
    store(i, _mm256_castsi256_si128(x));
    store(i + 4, _mm256_extracti128_si256(x, 1));
  }
}

#include "record/internal/ngram_kernels.inl.h"

// Runs of ten, the length that repetition is measured by, in one pass through registers, as for
// AVX-512: each join costs a rotation and a shift of places, and no memory.
INLINE __m256i rotate(__m256i x, int bits) {
  return _mm256_or_si256(_mm256_slli_epi64(x, bits), _mm256_srli_epi64(x, 64 - bits));
}

INLINE __m256i middle(__m256i here, __m256i next) {  // places 2 to 5 of both
  return _mm256_permute2x128_si256(here, next, 0x21);
}

INLINE __m256i runs_of_two(__m256i here, __m256i next) {
  const __m256i shifted = _mm256_alignr_epi8(middle(here, next), here, 8);
  return _mm256_xor_si256(rotate(here, 1), shifted);
}

INLINE __m256i runs_of_four(__m256i here, __m256i next) {  // of runs of two
  return _mm256_xor_si256(rotate(here, 2), middle(here, next));
}

void combine_ten(u64* hashes, u64 count) {
  const auto load = [&](u64 at) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(hashes + at));
  };
  const u64 total = count - 9;
  __m256i one = load(8);
  const __m256i start = load(4);
  const __m256i two_here = runs_of_two(load(0), start);
  __m256i two_next = runs_of_two(start, one);
  __m256i four_here = runs_of_four(two_here, two_next);
  for (u64 at = 0; at < total; at += 4) {
    const __m256i one_after = load(at + 12);
    const __m256i two_after = runs_of_two(one, one_after);
    const __m256i four_next = runs_of_four(two_next, two_after);
    const __m256i eight = _mm256_xor_si256(rotate(four_here, 4), four_next);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(hashes + at),
                        _mm256_xor_si256(rotate(eight, 2), two_after));
    one = one_after;
    two_next = two_after;
    four_here = four_next;
  }
}

void combine_by_length(u64* hashes, u64 count, u32 n) {
  if (n == 10 && count >= n) {
    combine_ten(hashes, count);
  } else {
    combine(hashes, count, n);
  }
}

}  // namespace

const NgramKernels kAvx2NgramKernels = {hash_code_points, combine_by_length};

}  // namespace headrace::internal

#endif  // __x86_64__
