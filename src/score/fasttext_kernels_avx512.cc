// SPDX-License-Identifier: Apache-2.0
// The loops of fastText models for AVX-512 with VBMI and VBMI2. Compiled with its flags: nothing
// here runs before the dispatcher has asked the CPU.
//
// Characters are cut 64 bytes at a time: the places of first bytes are compressed, four bytes are
// gathered at each, and those that are no continuation are masked away. N-grams are hashed at 32
// places at once; a hash becomes a bucket by a quotient in floating point that is at most one too
// small; one gather asks whether the bucket has a row, and the few that have are compressed away.
#if defined(__x86_64__)

#include <immintrin.h>

#include "score/internal/fasttext_kernels.h"

namespace headrace::score::internal {
namespace {

#include "score/internal/fasttext_types.inl.h"

INLINE u64 separators(const u8* p) {
  const __m512i v = _mm512_loadu_si512(p);
  const __m512i from_tab = _mm512_sub_epi8(v, _mm512_set1_epi8(9));
  return _mm512_cmple_epu8_mask(from_tab, _mm512_set1_epi8(4)) |
         _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(' ')) | _mm512_testn_epi8_mask(v, v);
}

INLINE void widen16(const u8* p, u32* out) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  _mm512_storeu_si512(out, _mm512_cvtepu8_epi32(bytes));
}

INLINE u64 continuations(__m512i v) { return _mm512_cmplt_epi8_mask(v, _mm512_set1_epi8(-64)); }

alignas(64) constexpr u8 kPlaces[64] = {
    0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
    22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43,
    44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63};

INLINE u64 decode_chars(const u8* p, u64 size, u32* out, u64* used) {
  const u64 here = size >= 64 ? ~u64{0} : (u64{1} << size) - 1;
  const __m512i v = _mm512_maskz_loadu_epi8(here, p);
  const u64 inside = continuations(v);
  if ((inside & 1) | (inside & inside >> 1 & inside >> 2 & inside >> 3)) return kMalformed;
  u64 first = ~inside & here;
  if (size > 64) {
    first &= (u64{1} << 61) - 1;  // those whose four bytes are in view
    *used = 61 + static_cast<u64>(__builtin_ctz(~static_cast<u32>(inside >> 61) | 8));
  } else {
    *used = size;
  }
  const __m512i up = _mm512_set1_epi32(0x03020100);
  const __m512i four_times = _mm512_set1_epi32(0x01010101);
  __m512i places = _mm512_maskz_compress_epi8(first, _mm512_load_si512(kPlaces));
  const u64 count = static_cast<u64>(__builtin_popcountll(first));
  for (u64 i = 0; i < count; i += 16) {
    const __m512i place = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(places));
    places = _mm512_shuffle_i64x2(places, places, 0x39);
    const __m512i at = _mm512_add_epi32(_mm512_mullo_epi32(place, four_times), up);
    const __m512i bytes = _mm512_permutexvar_epi8(at, v);
    const u64 more = continuations(bytes);
    const u64 second = more & 0x2222222222222222;
    const u64 third = more & second << 1;
    const u64 fourth = more & third << 1;
    const u64 own = 0x1111111111111111 | second | third | fourth;
    _mm512_storeu_si512(out + i, _mm512_maskz_mov_epi8(own, bytes));
  }
  return count;
}

// Hashes at 32 places at once.
struct Hashes {
  __m512i low, high;
};

INLINE __m512i multiply_prime(__m512i h) {
  return _mm512_mullo_epi32(h, _mm512_set1_epi32(static_cast<i32>(kHashPrime)));
}

INLINE void add_ascii(Hashes* h, const Hashes& c) {
  h->low = multiply_prime(_mm512_xor_si512(h->low, c.low));
  h->high = multiply_prime(_mm512_xor_si512(h->high, c.high));
}

// Byte kByte of the characters that have it; false when none has.
template <int kByte>
INLINE bool add_byte(Hashes* h, const Hashes& c) {
  const __m512i most = _mm512_set1_epi32(static_cast<i32>((u64{1} << (8 * kByte)) - 1));
  const __mmask16 low = _mm512_cmpgt_epu32_mask(c.low, most);
  const __mmask16 high = _mm512_cmpgt_epu32_mask(c.high, most);
  if (kByte > 1 && (low | high) == 0) return false;
  constexpr int kLeft = 24 - 8 * kByte;
  const __m512i prime = _mm512_set1_epi32(static_cast<i32>(kHashPrime));
  const __m512i low_byte = _mm512_srai_epi32(_mm512_slli_epi32(c.low, kLeft), 24);
  const __m512i high_byte = _mm512_srai_epi32(_mm512_slli_epi32(c.high, kLeft), 24);
  h->low = _mm512_mask_mullo_epi32(h->low, low, _mm512_xor_si512(h->low, low_byte), prime);
  h->high = _mm512_mask_mullo_epi32(h->high, high, _mm512_xor_si512(h->high, high_byte), prime);
  return true;
}

INLINE void add_any(Hashes* h, const Hashes& c) {
  const auto first = [](__m512i x) { return _mm512_srai_epi32(_mm512_slli_epi32(x, 24), 24); };
  add_ascii(h, {first(c.low), first(c.high)});
  add_byte<1>(h, c);
  if (add_byte<2>(h, c)) add_byte<3>(h, c);
}

INLINE u32 probe(const GramTables& t, __m512i h, __mmask16 valid, u32* hits) {
  constexpr int kDown = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
  const __m512i buckets = _mm512_set1_epi32(static_cast<i32>(t.buckets));
  const __m512i quotient = _mm512_cvttps_epi32(
      _mm512_mul_round_ps(_mm512_cvt_roundepu32_ps(h, kDown), _mm512_set1_ps(t.inverse), kDown));
  __m512i bucket = _mm512_sub_epi32(h, _mm512_mullo_epi32(quotient, buckets));
  bucket = _mm512_min_epu32(bucket, _mm512_sub_epi32(bucket, buckets));
  const __m512i words = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), valid,
                                                    _mm512_srli_epi32(bucket, 5), t.present, 4);
  const __m512i bit = _mm512_rolv_epi32(_mm512_set1_epi32(1), bucket);
  const __mmask16 hit = _mm512_test_epi32_mask(words, bit);
  _mm512_storeu_si512(hits, _mm512_maskz_compress_epi32(hit, bucket));
  return static_cast<u32>(__builtin_popcount(hit));
}

INLINE Hashes load_chars(const u32* chars) {
  return {_mm512_loadu_si512(chars), _mm512_loadu_si512(chars + 16)};
}

template <bool kAscii>
INLINE u32 find_32(const GramTables& t, const u32* chars, u32* hits) {
  const __m512i start = _mm512_set1_epi32(static_cast<i32>(kFirstHash));
  Hashes h = {start, start};
  __mmask16 low = 0xFFFF;
  __mmask16 high = 0xFFFF;
  u32 found = 0;
  for (u32 n = 1; n <= t.max_gram; ++n) {
    const Hashes c = load_chars(chars + n - 1);
    low &= _mm512_test_epi32_mask(c.low, c.low);
    high &= _mm512_test_epi32_mask(c.high, c.high);
    if (kAscii) {
      add_ascii(&h, c);
    } else {
      add_any(&h, c);
    }
    if (n < t.min_gram) continue;
    found += probe(t, h.low, low, hits + found);
    found += probe(t, h.high, high, hits + found);
  }
  return found;
}

u32 find_hits(const GramTables& t, const u32* chars, u32 begin, u32 end, u32* hits) {
  u32 found = 0;
  for (u32 i = begin; i < end; i += 32) {
    const Hashes c = load_chars(chars + i);
    const __m512i behind = _mm512_maskz_loadu_epi32(7, chars + i + 32);
    const __m512i all = _mm512_or_si512(_mm512_or_si512(c.low, c.high), behind);
    const bool ascii = _mm512_test_epi32_mask(all, _mm512_set1_epi32(~0x7F)) == 0;
    found += ascii ? find_32<true>(t, chars + i, hits + found)
                   : find_32<false>(t, chars + i, hits + found);
  }
  return found;
}

#include "score/internal/fasttext_kernels.inl.h"

}  // namespace

const FastTextKernels kAvx512FastTextKernels = {sum_grams, sum_folded,  add_rows,
                                                multiply,  exponential, sigmoid};

}  // namespace headrace::score::internal

#endif  // __x86_64__
