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

#include "record/internal/ngram_mix.inl.h"

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
  // Unpacking works inside 128-bit lanes: lane k of the four parts holds code points 16 k + 0..3,
  // 4..7, 8..11 and 12..15. Exchanging lanes in registers keeps the stores as wide as the loads
  // that follow at once: narrower ones could not be forwarded to them.
  const __m512i low01 = _mm512_unpacklo_epi8(b0, c1);
  const __m512i high01 = _mm512_unpackhi_epi8(b0, c1);
  const __m512i low23 = _mm512_unpacklo_epi8(c2, c3);
  const __m512i high23 = _mm512_unpackhi_epi8(c2, c3);
  const __m512i part0 = _mm512_unpacklo_epi16(low01, low23);
  const __m512i part1 = _mm512_unpackhi_epi16(low01, low23);
  const __m512i part2 = _mm512_unpacklo_epi16(high01, high23);
  const __m512i part3 = _mm512_unpackhi_epi16(high01, high23);
  const __m512i lanes01 = _mm512_shuffle_i32x4(part0, part1, 0x44);
  const __m512i lanes23 = _mm512_shuffle_i32x4(part0, part1, 0xEE);
  const __m512i more01 = _mm512_shuffle_i32x4(part2, part3, 0x44);
  const __m512i more23 = _mm512_shuffle_i32x4(part2, part3, 0xEE);
  _mm512_storeu_si512(out, _mm512_shuffle_i32x4(lanes01, more01, 0x88));
  _mm512_storeu_si512(out + 16, _mm512_shuffle_i32x4(lanes01, more01, 0xDD));
  _mm512_storeu_si512(out + 32, _mm512_shuffle_i32x4(lanes23, more23, 0x88));
  _mm512_storeu_si512(out + 48, _mm512_shuffle_i32x4(lanes23, more23, 0xDD));
  return count;
}

INLINE void mix_sixteen(const u32* codes, u64* out) {
  const auto splat = [](u32 x) { return _mm512_set1_epi32(static_cast<int>(x)); };
  __m512i x = _mm512_loadu_si512(codes);
  x = _mm512_mullo_epi32(x, splat(kMixA));
  x = _mm512_mullo_epi32(_mm512_xor_si512(x, _mm512_srli_epi32(x, 15)), splat(kMixB));
  x = _mm512_xor_si512(x, _mm512_srli_epi32(x, 13));
  const auto store = [&](u32 at, __m256i eight) {
    const __m512i product = _mm512_mul_epu32(_mm512_cvtepu32_epi64(eight), splat(kMixC));
    _mm512_storeu_si512(out + at, _mm512_xor_si512(product, _mm512_slli_epi64(product, 32)));
  };
  store(0, _mm512_castsi512_si256(x));
  store(8, _mm512_extracti64x4_epi64(x, 1));
}

#include "record/internal/ngram_kernels.inl.h"

// Runs of ten, the length that repetition is measured by, in one pass through registers: shifting
// by 1, 2 and 4 places across two registers needs the places as constants. Three vectors are under
// way at any time; a run of ten is one of eight and, eight places on, one of two.
template <int kPlaces>
INLINE __m512i join_in_registers(__m512i here, __m512i next) {
  return _mm512_xor_si512(_mm512_rol_epi64(here, kPlaces),
                          _mm512_alignr_epi64(next, here, kPlaces));
}

void combine_ten(u64* hashes, u64 count) {
  const u64 total = count - 9;
  __m512i one = _mm512_loadu_si512(hashes + 16);
  const __m512i start = _mm512_loadu_si512(hashes + 8);
  const __m512i two_here = join_in_registers<1>(_mm512_loadu_si512(hashes), start);
  __m512i two_next = join_in_registers<1>(start, one);
  __m512i four_here = join_in_registers<2>(two_here, two_next);
  for (u64 at = 0; at < total; at += 8) {
    const __m512i one_after = _mm512_loadu_si512(hashes + at + 24);
    const __m512i two_after = join_in_registers<1>(one, one_after);
    const __m512i four_next = join_in_registers<2>(two_next, two_after);
    const __m512i eight = join_in_registers<4>(four_here, four_next);
    _mm512_storeu_si512(hashes + at, _mm512_xor_si512(_mm512_rol_epi64(eight, 2), two_next));
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

const NgramKernels kAvx512NgramKernels = {hash_code_points, combine_by_length};

}  // namespace headrace::internal

#endif  // __x86_64__
