// SPDX-License-Identifier: Apache-2.0
// Hashes of code points for AVX-512 with VBMI2.
//
// Four byte vectors, the text from each byte and from one, two and three behind it, are compressed
// to the first bytes of code points; bytes that a code point does not have become 0 by comparing
// its first byte; interleaving the four gives one 32-bit number per code point, without a loop.
#if defined(__x86_64__)

#include <immintrin.h>

#include "record/char_class.h"
#include "record/internal/ngram_kernels.h"

namespace headrace::internal {
namespace {

#include "record/internal/text_scan_types.inl.h"

INLINE __mmask64 at_least(__m512i bytes, u8 bound) {
  return _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(static_cast<char>(bound)));
}

INLINE u64 codes(const u8* p, u64 lead, u32* out) {
  const u64 count = popcount(lead);
  const __m512i text = _mm512_loadu_si512(p);
  if (_mm512_movepi8_mask(text) == 0) {
    for (u32 i = 0; i < 64; i += 16) {
      const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
      _mm512_storeu_si512(out + i, _mm512_cvtepu8_epi32(bytes));
    }
    return count;  // all leading ones: only the end of the text cuts them
  }
  const __m512i b0 = _mm512_maskz_compress_epi8(lead, text);
  const __m512i b1 = _mm512_maskz_compress_epi8(lead, _mm512_loadu_si512(p + 1));
  const __m512i b2 = _mm512_maskz_compress_epi8(lead, _mm512_loadu_si512(p + 2));
  const __m512i b3 = _mm512_maskz_compress_epi8(lead, _mm512_loadu_si512(p + 3));
  const __m512i c1 = _mm512_maskz_mov_epi8(at_least(b0, 0xC0), b1);
  const __m512i c2 = _mm512_maskz_mov_epi8(at_least(b0, 0xE0), b2);
  const __m512i c3 = _mm512_maskz_mov_epi8(at_least(b0, 0xF0), b3);
  // Unpacking works inside 128-bit lanes: lane k of the four results holds code points 16 k + 0..3,
  // 4..7, 8..11 and 12..15.
  const __m512i low01 = _mm512_unpacklo_epi8(b0, c1);
  const __m512i high01 = _mm512_unpackhi_epi8(b0, c1);
  const __m512i low23 = _mm512_unpacklo_epi8(c2, c3);
  const __m512i high23 = _mm512_unpackhi_epi8(c2, c3);
  const __m512i part[4] = {_mm512_unpacklo_epi16(low01, low23), _mm512_unpackhi_epi16(low01, low23),
                           _mm512_unpacklo_epi16(high01, high23),
                           _mm512_unpackhi_epi16(high01, high23)};
  for (u32 i = 0; i < 4; ++i) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 4 * i), _mm512_castsi512_si128(part[i]));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 16 + 4 * i),
                     _mm512_extracti32x4_epi32(part[i], 1));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 32 + 4 * i),
                     _mm512_extracti32x4_epi32(part[i], 2));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out + 48 + 4 * i),
                     _mm512_extracti32x4_epi32(part[i], 3));
  }
  return count;
}

#include "record/internal/ngram_kernels.inl.h"

}  // namespace

const NgramKernels kAvx512NgramKernels = {hash_code_points, combine};

}  // namespace headrace::internal

#endif  // __x86_64__
