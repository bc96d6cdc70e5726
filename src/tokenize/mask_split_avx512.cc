// SPDX-License-Identifier: Apache-2.0
// Kernels for AVX-512 with VBMI and VBMI2. Compiled with those flags: nothing here runs before the
// dispatcher has asked the CPU.
#if defined(__x86_64__)

#include <immintrin.h>

#include "tokenize/mask_split.h"
#include "tokenize/unicode_classes.h"

namespace headrace::tokenize {
namespace {

#include "tokenize/internal/mask_types.inl.h"

INLINE __m512i splat(u8 byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }

struct Block {
  INLINE explicit Block(const u8* p) : bytes(_mm512_loadu_si512(p)) {}
  INLINE Block(const u8* p, u32 size) : bytes(_mm512_maskz_loadu_epi8((u64{1} << size) - 1, p)) {}

  INLINE u64 le(u8 byte) const { return _mm512_cmple_epu8_mask(bytes, splat(byte)); }
  INLINE u64 ge(u8 byte) const { return _mm512_cmpge_epu8_mask(bytes, splat(byte)); }
  INLINE u64 eq(u8 byte) const { return _mm512_cmpeq_epi8_mask(bytes, splat(byte)); }

  // One permutation of two registers looks up the class bits of 64 bytes.
  template <MaskFamily kFamily>
  INLINE void ascii(const MaskTables& tables, BlockMasks* m) const {
    const __m512i classes = _mm512_permutex2var_epi8(_mm512_load_si512(tables.ascii), bytes,
                                                     _mm512_load_si512(tables.ascii + 64));
    const auto with = [&](u8 bit) -> u64 { return _mm512_test_epi8_mask(classes, splat(bit)); };
    m->letter = with(kAsciiLetter);
    m->number = with(kAsciiNumber);
    m->space = with(kAsciiSpace);
    m->newline = with(kAsciiNewline);
    m->sign = with(kAsciiSign);
    m->upper = kFamily == MaskFamily::kO200k ? with(kAsciiUpper) : 0;
    m->hard = kFamily == MaskFamily::kDeepseek ? with(kAsciiHard) : 0;
  }

  __m512i bytes;
};

// A compress makes the indexes, in a register: compressing into memory is slow on Zen 4.
INLINE u32 positions(u64 bits, u32 base, u32* out) {
  const __m512i indexes = _mm512_set_epi64(
      0x3F3E3D3C3B3A3938, 0x3736353433323130, 0x2F2E2D2C2B2A2928, 0x2726252423222120,
      0x1F1E1D1C1B1A1918, 0x1716151413121110, 0x0F0E0D0C0B0A0908, 0x0706050403020100);
  const __m512i set = _mm512_maskz_compress_epi8(bits, indexes);
  const __m512i first = _mm512_set1_epi32(static_cast<int>(base));
  const auto count = static_cast<u32>(__builtin_popcountll(bits));
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

#include "tokenize/internal/mask_classify.inl.h"
#include "tokenize/internal/mask_common.inl.h"
#include "tokenize/internal/mask_families.inl.h"
#include "tokenize/internal/mask_split.inl.h"

}  // namespace

const MaskKernels kAvx512MaskKernels = kKernels;

}  // namespace headrace::tokenize

#endif  // __x86_64__
