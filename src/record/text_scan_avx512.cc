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

// Classes of U+0000..007F, and of the four 64-character rows that get a permutation of their own.
struct ClassRows {
  alignas(64) u8 ascii[128];
  alignas(64) u8 general[64];     // U+2000, bytes E2 80 xx
  alignas(64) u8 cjk[64];         // U+3000, bytes E3 80 xx
  alignas(64) u8 full_width[64];  // U+FF00, bytes EF BC xx
  alignas(64) u8 half_width[64];  // U+FF40, bytes EF BD xx
};

// Filled by the first scan of each thread rather than by a static constructor, which would run
// these instructions on machines that lack them.
INLINE void fill(ClassRows* rows) {
  for (u32 i = 0; i < 128; ++i) rows->ascii[i] = kCharClassTable[i];
  for (u32 i = 0; i < 64; ++i) {
    rows->general[i] = kCharClassTable[0x2000 + i];
    rows->cjk[i] = kCharClassTable[0x3000 + i];
    rows->full_width[i] = kCharClassTable[0xFF00 + i];
    rows->half_width[i] = kCharClassTable[0xFF40 + i];
  }
}

INLINE __m512i splat(u8 byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }

INLINE u64 equal(u64 among, __m512i bytes, u8 byte) {
  return _mm512_mask_cmpeq_epi8_mask(among, bytes, splat(byte));
}

struct Classifier {
  __m512i ascii_low, ascii_high, general, cjk, full_width, half_width;

  INLINE Classifier() {
    ClassRows rows;
    fill(&rows);
    ascii_low = _mm512_load_si512(rows.ascii);
    ascii_high = _mm512_load_si512(rows.ascii + 64);
    general = _mm512_load_si512(rows.general);
    cjk = _mm512_load_si512(rows.cjk);
    full_width = _mm512_load_si512(rows.full_width);
    half_width = _mm512_load_si512(rows.half_width);
  }

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

}  // namespace

const TextKernels kAvx512TextKernels = {scan, hash_words};

}  // namespace headrace::internal

#endif  // __x86_64__
