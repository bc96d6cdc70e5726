// SPDX-License-Identifier: Apache-2.0
// Kernels for AVX-512 with VBMI and VBMI2 (Ice Lake, Zen 4 and later). Compiled with those flags:
// nothing here runs before the dispatcher has asked the CPU.
//
// One permutation of two registers looks up the class bits of 64 ASCII bytes. Han characters are a
// range of first bytes. Punctuation of CJK and general punctuation share their first two bytes, so
// that one permutation by the third byte looks up their classes. What remains goes one by one
// through the table.
#if defined(__x86_64__)

#include <immintrin.h>

#include "record/char_class.h"
#include "record/internal/text_scan.h"

namespace headrace::internal {
namespace {

#include "record/internal/text_scan_types.inl.h"

INLINE __m512i splat(u8 byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }

INLINE u64 equal(u64 among, __m512i bytes, u8 byte) {
  return _mm512_mask_cmpeq_epi8_mask(among, bytes, splat(byte));
}

// The class table holds one byte per code point, so rows of 64 are registers as they stand.
INLINE __m512i row(u32 code_point) { return _mm512_loadu_si512(kCharClassTable + code_point); }

struct Classifier {
  __m512i ascii_low = row(0);
  __m512i ascii_high = row(64);
  __m512i general = row(0x2000);     // bytes E2 80 xx
  __m512i cjk = row(0x3000);         // bytes E3 80 xx
  __m512i full_width = row(0xFF00);  // bytes EF BC xx
  __m512i half_width = row(0xFF40);  // bytes EF BD xx

  INLINE void operator()(const u8* p, Masks* m) const {
    const __m512i bytes = _mm512_loadu_si512(p);
    const u64 non_ascii = _mm512_movepi8_mask(bytes);
    __m512i classes = _mm512_permutex2var_epi8(ascii_low, bytes, ascii_high);
    u64 han = 0;
    u64 rare = 0;
    m->continuation = 0;
    if (non_ascii) {
      const u64 lead = _mm512_mask_cmpge_epu8_mask(non_ascii, bytes, splat(0xC0));
      const __m512i second = _mm512_loadu_si512(p + 1);
      const __m512i third = _mm512_loadu_si512(p + 2);
      m->continuation = non_ascii & ~lead;
      classes = _mm512_maskz_mov_epi8(~non_ascii, classes);
      han = _mm512_mask_cmple_epu8_mask(lead, _mm512_sub_epi8(bytes, splat(0xE4)), splat(5));
      han &= ~(equal(han, bytes, 0xE4) & equal(han, second, 0xB7));
      rare = lead & ~han;
      if (rare) {
        const u64 is_general = equal(equal(rare, bytes, 0xE2), second, 0x80);
        const u64 is_cjk = equal(equal(rare, bytes, 0xE3), second, 0x80);
        const u64 ef = equal(rare, bytes, 0xEF);
        const u64 is_full_width = equal(ef, second, 0xBC);
        const u64 is_half_width = equal(ef, second, 0xBD);
        classes = _mm512_mask_permutexvar_epi8(classes, is_general, third, general);
        classes = _mm512_mask_permutexvar_epi8(classes, is_cjk, third, cjk);
        classes = _mm512_mask_permutexvar_epi8(classes, is_full_width, third, full_width);
        classes = _mm512_mask_permutexvar_epi8(classes, is_half_width, third, half_width);
        rare &= ~(is_general | is_cjk | is_full_width | is_half_width);
      }
    }
    const auto with = [&](u8 bit) { return u64{_mm512_test_epi8_mask(classes, splat(bit))}; };
    m->non_ascii = non_ascii;
    m->newline = _mm512_cmpeq_epi8_mask(bytes, splat('\n'));
    m->letter = with(kLetter);
    m->digit = with(kDigit);
    m->upper = with(kUpper);
    m->space = with(kSpace);
    m->punct = with(kPunct);
    m->han = han | with(kHan);
    m->end_mark = with(kEndMark);
    m->closer = with(kCloser);
    if (__builtin_expect(rare != 0, 0)) add_rare(p, rare, m);
  }
};

INLINE Classifier make_classifier() { return {}; }

// A compress makes the indexes, in a register: compressing into memory is slow on Zen 4.
INLINE u32 positions(u64 bits, u32 base, u32* out) {
  const __m512i indexes = _mm512_set_epi64(
      0x3F3E3D3C3B3A3938, 0x3736353433323130, 0x2F2E2D2C2B2A2928, 0x2726252423222120,
      0x1F1E1D1C1B1A1918, 0x1716151413121110, 0x0F0E0D0C0B0A0908, 0x0706050403020100);
  const __m512i set = _mm512_maskz_compress_epi8(bits, indexes);
  const __m512i first = _mm512_set1_epi32(static_cast<int>(base));
  const u32 count = popcount(bits);
  const auto store = [&](u32 at, __m128i part) {
    _mm512_storeu_si512(out + at, _mm512_add_epi32(first, _mm512_cvtepu8_epi32(part)));
  };
  store(0, _mm512_castsi512_si128(set));
  if (count > 16) {
    store(16, _mm512_extracti32x4_epi32(set, 1));
    if (count > 32) {
      store(32, _mm512_extracti32x4_epi32(set, 2));
      store(48, _mm512_extracti32x4_epi32(set, 3));
    }
  }
  return count;
}

INLINE u64 low_bytes(u64 x, u32 n) { return _bzhi_u64(x, 8 * n); }

#include "record/internal/text_scan.inl.h"

// Eight words at a time: one gather for their first 8 bytes, one more if any is longer, and words
// of more than 16 bytes go on one by one.
void hash_words(const u8* text, const u32* begin, const u32* end, u32 count, u64* hash) {
  // Gathers take signed offsets.
  if (count > 0 && end[count - 1] > 0x7FFFFFFF) {
    hash_words_singly(text, begin, end, count, hash);
    return;
  }
  const __m512i ones = _mm512_set1_epi64(-1);
  const auto factor = [](u64 x) { return _mm512_set1_epi64(static_cast<long long>(x)); };
  const auto low = [&](__m512i chunk, __m512i bytes) {  // bytes: at least 0, any more than 8 is 8
    const __m512i drop = _mm512_slli_epi64(_mm512_sub_epi64(_mm512_set1_epi64(8), bytes), 3);
    return _mm512_and_si512(
        chunk, _mm512_srlv_epi64(ones, _mm512_max_epi64(drop, _mm512_setzero_si512())));
  };
  const auto add = [&](__m512i state, __m512i chunk) {
    const __m512i upper = _mm512_srli_epi64(_mm512_and_si512(chunk, _mm512_set1_epi8(0x40)), 1);
    const __m512i non_ascii = _mm512_srli_epi64(_mm512_and_si512(chunk, splat(0x80)), 2);
    const __m512i folded = _mm512_or_si512(chunk, _mm512_andnot_si512(non_ascii, upper));
    const __m512i x = _mm512_mullo_epi64(_mm512_xor_si512(state, folded), factor(kChunkFactor));
    return _mm512_xor_si512(x, _mm512_srli_epi64(x, 32));
  };
  u32 i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256i at = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(begin + i));
    const __m256i size32 =
        _mm256_sub_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(end + i)), at);
    const __m512i size = _mm512_cvtepu32_epi64(size32);
    __m512i h = _mm512_mullo_epi64(size, factor(kLengthFactor));
    h = add(h, low(_mm512_i32gather_epi64(at, text, 1), size));
    const __mmask8 more = _mm256_cmpgt_epu32_mask(size32, _mm256_set1_epi32(8));
    if (more) {
      const __m512i second =
          _mm512_mask_i32gather_epi64(_mm512_setzero_si512(), more, at, text + 8, 1);
      const __m512i rest = _mm512_sub_epi64(size, _mm512_set1_epi64(8));
      h = _mm512_mask_mov_epi64(
          h, more, add(h, low(second, _mm512_max_epi64(rest, _mm512_setzero_si512()))));
    }
    _mm512_storeu_si512(hash + i, h);
    __mmask8 longer = _mm256_cmpgt_epu32_mask(size32, _mm256_set1_epi32(16));
    for (; __builtin_expect(longer != 0, 0); longer &= static_cast<__mmask8>(longer - 1)) {
      const u32 k = i + static_cast<u32>(__builtin_ctz(longer));
      hash[k] = hash_rest(hash[k], text + begin[k], end[k] - begin[k], 16);
    }
  }
  hash_words_singly(text, begin + i, end + i, count - i, hash + i);
}

}  // namespace

const TextKernels kAvx512TextKernels = {scan, hash_words};

}  // namespace headrace::internal

#endif  // __x86_64__
