// SPDX-License-Identifier: Apache-2.0
// Ten bytes of ASCII: a shuffle makes the words of four that begin at each of eight bytes. Longer
// runs, which are 30 bytes in Chinese, are a product of 32 bytes each, without what follows them.
#if defined(__x86_64__)

#include <immintrin.h>

#include "measure/internal/run_slots.h"

namespace headrace::measure::internal {
namespace {

#include "measure/internal/run_slots.inl.h"

inline __m256i words_at(const u8* p) {
  const __m256i window = _mm256_setr_epi8(0, 1, 2, 3, 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6,  //
                                          4, 5, 6, 7, 5, 6, 7, 8, 6, 7, 8, 9, 7, 8, 9, 10);
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(bytes), window);
}

inline __m256i product(__m256i words, u32 factor) {
  return _mm256_mullo_epi32(words, _mm256_set1_epi32(static_cast<int>(factor)));
}

void ascii_slots(const u8* text, int bits, u32* slots) {
  const __m128i shift = _mm_cvtsi32_si128(32 - bits);
  for (int i = 0; i < 64; i += 8) {
    __m256i sum = product(words_at(text + i), kSlotFactors[0]);
    sum = _mm256_add_epi32(sum, product(words_at(text + i + 4), kSlotFactors[1]));
    sum = _mm256_add_epi32(sum, product(words_at(text + i + 6), kSlotFactors[2]));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(slots + i), _mm256_srl_epi32(sum, shift));
  }
}

// Eight factors, one for each word of four bytes.
inline u32 wide_slot(const u8* run, u32 size, int bits) {
  alignas(64) static constexpr u8 kKept[64] = {
      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
      255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
  const __m256i factors =
      _mm256_setr_epi32(static_cast<int>(0x9E3779B1), static_cast<int>(0x85EBCA77),
                        static_cast<int>(0xC2B2AE3D), 0x27D4EB2F, 0x165667B1,
                        static_cast<int>(0xA0761D65), static_cast<int>(0xE7037ED1), 0x589965CD);
  const __m256i bytes =
      _mm256_and_si256(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(run)),
                       _mm256_loadu_si256(reinterpret_cast<const __m256i*>(kKept + 32 - size)));
  const __m256i products = _mm256_mullo_epi32(bytes, factors);
  __m128i sum =
      _mm_add_epi32(_mm256_castsi256_si128(products), _mm256_extracti128_si256(products, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
  return static_cast<u32>(_mm_cvtsi128_si32(sum)) >> (32 - bits);
}

void utf8_slots(const u8* text, const u32* begin, u32 count, int bits, u32* slots) {
  if (count == 64 && begin[73] - begin[0] == 73) {
    ascii_slots(text + begin[0], bits, slots);
    return;
  }
  for (u32 i = 0; i < count; ++i) {
    const u8* const run = text + begin[i];
    const u32 size = begin[i + 10] - begin[i];
    if (size - 11 < 22) {
      slots[i] = wide_slot(run, size, bits);
    } else {
      slots[i] = size == 10 ? ascii_slot(run, bits) : any_slot(run, size, bits);
    }
  }
}

}  // namespace

const RunSlots kAvx2RunSlots = {ascii_slots, utf8_slots};

}  // namespace headrace::measure::internal

#endif  // __x86_64__
