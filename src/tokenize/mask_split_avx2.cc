// SPDX-License-Identifier: Apache-2.0
// Kernels for AVX2 with BMI. Compiled with those flags: nothing here runs before the dispatcher has
// asked the CPU.
//
// A class of ASCII is a few rectangles of low and high halves of a byte, so that two shuffles and
// an AND look it up.
#if defined(__x86_64__)

#include <immintrin.h>

#include "tokenize/mask_split.h"
#include "tokenize/unicode_classes.h"

namespace headrace::tokenize {
namespace {

#include "tokenize/internal/mask_types.inl.h"

INLINE __m256i splat(u8 byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }

struct Block {
  INLINE explicit Block(const u8* p) { load(p); }
  INLINE Block(const u8* p, u32 size) {
    alignas(32) u8 copy[64] = {};
    __builtin_memcpy(copy, p, size);
    load(copy);
  }

  INLINE u64 le(u8 byte) const {
    return mask(
        [byte](__m256i x) { return _mm256_cmpeq_epi8(_mm256_min_epu8(x, splat(byte)), x); });
  }
  INLINE u64 ge(u8 byte) const {
    return mask(
        [byte](__m256i x) { return _mm256_cmpeq_epi8(_mm256_max_epu8(x, splat(byte)), x); });
  }
  INLINE u64 eq(u8 byte) const {
    return mask([byte](__m256i x) { return _mm256_cmpeq_epi8(x, splat(byte)); });
  }

  template <MaskFamily kFamily>
  INLINE void ascii(const MaskTables&, BlockMasks* m) const {
    // @A-O `a-o: 1, P-Z p-z: 2, 0-9: 4, blank: 8, \n \r: 16, \t \v \f: 32; what is left are signs.
    const __m256i by_low = _mm256_setr_epi8(                   //
        14, 7, 7, 7, 7, 7, 7, 7, 7, 39, 19, 33, 33, 17, 1, 1,  //
        14, 7, 7, 7, 7, 7, 7, 7, 7, 39, 19, 33, 33, 17, 1, 1);
    const __m256i by_high = _mm256_setr_epi8(             //
        48, 0, 8, 4, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0,  //
        48, 0, 8, 4, 1, 2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0);
    const auto classes = [&](__m256i x) {
      const __m256i high = _mm256_and_si256(_mm256_srli_epi16(x, 4), splat(15));
      return _mm256_and_si256(_mm256_shuffle_epi8(by_low, x), _mm256_shuffle_epi8(by_high, high));
    };
    const __m256i c[2] = {classes(bytes[0]), classes(bytes[1])};
    const auto any = [&](u8 bits) {
      const auto none = [&](__m256i x) {
        return to_mask(_mm256_cmpeq_epi8(_mm256_and_si256(x, splat(bits)), _mm256_setzero_si256()));
      };
      return ~(none(c[0]) | u64{none(c[1])} << 32);
    };
    const auto one = [&](int shift) {
      return to_mask(_mm256_slli_epi16(c[0], shift)) | u64{to_mask(_mm256_slli_epi16(c[1], shift))}
                                                           << 32;
    };
    const u64 letter = any(3);
    m->number = one(5);
    m->space = any(40);
    m->newline = one(3);
    m->sign = ~(letter | m->number | m->space | m->newline);
    m->letter = letter;
    m->upper = m->hard = 0;
    if constexpr (kFamily == MaskFamily::kO200k) {
      const u64 lower = mask([](__m256i x) { return _mm256_slli_epi16(x, 2); });
      m->letter = letter & lower;
      m->upper = letter & ~lower;
    }
    if constexpr (kFamily == MaskFamily::kDeepseek) {
      m->hard = m->sign & (le(0x1F) | eq(0x7F));
      m->sign &= ~m->hard;
    }
  }

 private:
  INLINE static u32 to_mask(__m256i x) { return static_cast<u32>(_mm256_movemask_epi8(x)); }
  INLINE void load(const u8* p) {
    bytes[0] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    bytes[1] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32));
  }
  template <class Each>
  INLINE u64 mask(Each each) const {
    return to_mask(each(bytes[0])) | u64{to_mask(each(bytes[1]))} << 32;
  }

  __m256i bytes[2];
};

// Eight without a branch: few blocks have more.
INLINE u32 positions(u64 bits, u32 base, u32* out) {
  const auto count = static_cast<u32>(_mm_popcnt_u64(bits));
  for (u32 done = 0; done < count || done == 0; done += 8) {
    for (u32 i = 0; i < 8; ++i) {
      out[done + i] = base + static_cast<u32>(_tzcnt_u64(bits));
      bits = _blsr_u64(bits);
    }
  }
  return count;
}

#include "tokenize/internal/mask_classify.inl.h"
#include "tokenize/internal/mask_common.inl.h"
#include "tokenize/internal/mask_families.inl.h"
#include "tokenize/internal/mask_split.inl.h"

}  // namespace

const MaskKernels kAvx2MaskKernels = kKernels;

}  // namespace headrace::tokenize

#endif  // __x86_64__
