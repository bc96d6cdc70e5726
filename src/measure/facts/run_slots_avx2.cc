// SPDX-License-Identifier: Apache-2.0
// A shuffle makes the words of four that begin at each of eight bytes.
#if defined(__x86_64__)

#include <immintrin.h>

#include "measure/internal/run_slots.h"

namespace headrace::measure::internal {
namespace {

inline __m256i words_at(const unsigned char* p) {
  const __m256i window = _mm256_setr_epi8(0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6,  //
                                          4, 5, 6, 7, 5, 6, 7, 8, 6, 7, 8, 9, 7, 8, 9, 10);
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), window);
}

inline __m256i product(__m256i words, std::uint32_t factor) {
  return _mm256_mullo_epi32(words, _mm256_set1_epi32(static_cast<int>(factor)));
}

}  // namespace

void ascii_run_slots_avx2(const unsigned char* text, int bits, std::uint32_t* slots) {
  const __m128i shift = _mm_cvtsi32_si128(32 - bits);
  for (int i = 0; i < 64; i += 8) {
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(product(words_at(text + i), kSlotFactors[0]),
                                                          product(words_at(text + i + 4),
                                                                  kSlotFactors[1])),
                                         product(words_at(text + i + 6), kSlotFactors[2]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(slots + i), _mm256_srl_epi32(sum, shift));
  }
}

}  // namespace headrace::measure::internal

#endif  // __x86_64__
