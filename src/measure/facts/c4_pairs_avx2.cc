// SPDX-License-Identifier: Apache-2.0
// Compiled with the flags of AVX2: nothing here runs before the dispatcher has asked the CPU.
#if defined(__x86_64__)

#include <immintrin.h>

#include "measure/internal/c4_pairs.h"

namespace headrace::measure::internal {
namespace {

__m256i folded(const char* p) {
  return _mm256_or_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)),
                         _mm256_set1_epi8(0x20));
}

__m256i pair(__m256i a, __m256i b, int first, int second) {
  return _mm256_and_si256(_mm256_cmpeq_epi8(a, _mm256_set1_epi8(static_cast<char>(first))),
                          _mm256_cmpeq_epi8(b, _mm256_set1_epi8(static_cast<char>(second))));
}

std::uint64_t find_in_half(const char* p, bool han) {
  const __m256i a = folded(p);
  const __m256i b = folded(p + 1);
  __m256i found = _mm256_or_si256(_mm256_or_si256(pair(a, b, 'v', 'a'), pair(a, b, 'o', 'k')),
                                  pair(a, b, 'm', 's'));
  if (han) {
    found = _mm256_or_si256(found, _mm256_or_si256(pair(a, b, 0xAD, 0xB6), pair(a, b, 0xAC, 0xBE)));
  }
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(found));
}

}  // namespace

std::uint64_t find_c4_pairs_avx2(const char* p, bool han) {
  return find_in_half(p, han) | find_in_half(p + 32, han) << 32;
}

}  // namespace headrace::measure::internal

#endif
