// SPDX-License-Identifier: Apache-2.0
// The loops of fastText models for AVX2. Compiled with its flags: nothing here runs before the
// dispatcher has asked the CPU.
//
// As with AVX-512, at 8 places at once; but characters outside ASCII are cut one at a time, a hash
// becomes a bucket by a 32-bit multiply-high (the quotient is at most one too small), and the
// buckets that have a row are moved together by a table of permutations.
#if defined(__x86_64__)

#include <immintrin.h>

#include "score/internal/fasttext_kernels.h"

namespace headrace::score::internal {
namespace {

#include "score/internal/fasttext_types.inl.h"

INLINE __m256i load(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }

INLINE u64 separators_of_half(const u8* p) {
  const __m256i v = load(p);
  const __m256i from_tab = _mm256_sub_epi8(v, _mm256_set1_epi8(9));
  const __m256i control =
      _mm256_cmpeq_epi8(_mm256_min_epu8(from_tab, _mm256_set1_epi8(4)), from_tab);
  const __m256i blank = _mm256_cmpeq_epi8(v, _mm256_set1_epi8(' '));
  const __m256i zero = _mm256_cmpeq_epi8(v, _mm256_setzero_si256());
  const __m256i any = _mm256_or_si256(control, _mm256_or_si256(blank, zero));
  return static_cast<u32>(_mm256_movemask_epi8(any));
}

INLINE u64 separators(const u8* p) {
  return separators_of_half(p) | separators_of_half(p + 32) << 32;
}

INLINE void widen16(const u8* p, u32* out) {
  for (u32 i = 0; i < 16; i += 8) {
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(p + i));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + i), _mm256_cvtepu8_epi32(bytes));
  }
}

INLINE u64 continuations(const u8* p) {
  const __m256i bound = _mm256_set1_epi8(-64);
  const u64 low = static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpgt_epi8(bound, load(p))));
  const u64 high = static_cast<u32>(_mm256_movemask_epi8(_mm256_cmpgt_epi8(bound, load(p + 32))));
  return low | high << 32;
}

INLINE u64 decode_chars(const u8* p, u64 size, u32* out, u64* used) {
  const u64 here = size >= 64 ? ~u64{0} : (u64{1} << size) - 1;
  const u64 inside = continuations(p) & here;
  if ((inside & 1) | (inside & inside >> 1 & inside >> 2 & inside >> 3)) return kMalformed;
  u64 first = ~inside & here;
  u64 end = size;
  if (size > 64) {
    first &= (u64{1} << 61) - 1;  // those whose four bytes are in view
    end = 61 + static_cast<u64>(__builtin_ctz(~static_cast<u32>(inside >> 61) | 8));
  }
  *used = end;
  const u64 count = static_cast<u64>(__builtin_popcountll(first));
  while (first != 0) {
    const u64 at = _tzcnt_u64(first);
    first = _blsr_u64(first);
    const u64 next = first != 0 ? _tzcnt_u64(first) : end;
    u32 bytes;
    __builtin_memcpy(&bytes, p + at, 4);
    *out++ = _bzhi_u32(bytes, static_cast<u32>(next - at) * 8);
  }
  return count;
}

INLINE __m256i multiply_prime(__m256i h) {
  return _mm256_mullo_epi32(h, _mm256_set1_epi32(static_cast<i32>(kHashPrime)));
}

// Byte kByte of the characters that have it; false when none has.
template <int kByte>
INLINE bool add_byte(__m256i* h, __m256i c) {
  const __m256i lacks = _mm256_cmpeq_epi32(_mm256_srli_epi32(c, 8 * kByte), _mm256_setzero_si256());
  if (kByte > 1 && _mm256_movemask_epi8(lacks) == -1) return false;
  const __m256i byte = _mm256_srai_epi32(_mm256_slli_epi32(c, 24 - 8 * kByte), 24);
  *h = _mm256_blendv_epi8(multiply_prime(_mm256_xor_si256(*h, byte)), *h, lacks);
  return true;
}

INLINE __m256i add_any(__m256i h, __m256i c) {
  const __m256i first = _mm256_srai_epi32(_mm256_slli_epi32(c, 24), 24);
  h = multiply_prime(_mm256_xor_si256(h, first));
  add_byte<1>(&h, c);
  if (add_byte<2>(&h, c)) add_byte<3>(&h, c);
  return h;
}

// For each set of lanes, their numbers in ascending order.
struct Permutations {
  u64 of[256];
  constexpr Permutations() : of() {
    for (u32 mask = 0; mask < 256; ++mask) {
      u32 count = 0;
      for (u64 lane = 0; lane < 8; ++lane) {
        if (mask >> lane & 1) of[mask] |= lane << (8 * count++);
      }
    }
  }
};
constexpr Permutations kPermutations;

INLINE u32 probe(const GramTables& t, __m256i h, __m256i valid, u32* hits) {
  const __m256i buckets = _mm256_set1_epi32(static_cast<i32>(t.buckets));
  const __m256i multiplier = _mm256_set1_epi32(static_cast<i32>(t.multiplier));
  const __m256i even = _mm256_srli_epi64(_mm256_mul_epu32(h, multiplier), 32);
  const __m256i odd = _mm256_mul_epu32(_mm256_srli_epi64(h, 32), multiplier);
  const __m256i quotient = _mm256_blend_epi32(even, odd, 0xAA);
  __m256i bucket = _mm256_sub_epi32(h, _mm256_mullo_epi32(quotient, buckets));
  bucket = _mm256_min_epu32(bucket, _mm256_sub_epi32(bucket, buckets));
  const __m256i words =
      _mm256_mask_i32gather_epi32(_mm256_setzero_si256(), reinterpret_cast<const int*>(t.present),
                                  _mm256_srli_epi32(bucket, 5), valid, 4);
  // The bucket's bit moves to the sign.
  const __m256i left = _mm256_andnot_si256(bucket, _mm256_set1_epi32(31));
  const u32 hit =
      static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_sllv_epi32(words, left))));
  const __m256i order = _mm256_cvtepu8_epi32(
      _mm_loadl_epi64(reinterpret_cast<const __m128i*>(&kPermutations.of[hit])));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(hits), _mm256_permutevar8x32_epi32(bucket, order));
  return static_cast<u32>(__builtin_popcount(hit));
}

template <bool kAscii>
INLINE u32 find_8(const GramTables& t, const u32* chars, u32* hits) {
  __m256i h = _mm256_set1_epi32(static_cast<i32>(kFirstHash));
  __m256i valid = _mm256_set1_epi32(-1);
  u32 found = 0;
  for (u32 n = 1; n <= t.max_gram; ++n) {
    const __m256i c = load(chars + n - 1);
    valid = _mm256_andnot_si256(_mm256_cmpeq_epi32(c, _mm256_setzero_si256()), valid);
    h = kAscii ? multiply_prime(_mm256_xor_si256(h, c)) : add_any(h, c);
    if (n >= t.min_gram) found += probe(t, h, valid, hits + found);
  }
  return found;
}

u32 find_hits(const GramTables& t, const u32* chars, u32 begin, u32 end, u32* hits) {
  u32 found = 0;
  for (u32 i = begin; i < end; i += 8) {
    const __m256i all = _mm256_or_si256(load(chars + i), load(chars + i + 3));
    const bool ascii = _mm256_testz_si256(all, _mm256_set1_epi32(~0x7F)) != 0;
    found += ascii ? find_8<true>(t, chars + i, hits + found)
                   : find_8<false>(t, chars + i, hits + found);
  }
  return found;
}

#include "score/internal/fasttext_kernels.inl.h"

}  // namespace

const FastTextKernels kAvx2FastTextKernels = {sum_grams, sum_folded,  add_rows,
                                              multiply,  exponential, sigmoid};

}  // namespace headrace::score::internal

#endif  // __x86_64__
