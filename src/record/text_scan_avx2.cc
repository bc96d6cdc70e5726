// SPDX-License-Identifier: Apache-2.0
// Kernels for AVX2. Compiled with its flags: nothing here runs before the dispatcher has asked the
// CPU.
//
// AVX2 looks up 16 entries at a time, too few for a table of ASCII. So each class is a set of
// (low nibble, high nibble) pairs: the low nibble looks up which of the eight high nibbles belong
// to it, the high nibble its own bit, and the class holds where they meet. Han characters are a
// range of first bytes; all other non-ASCII characters go one by one through the table.
#if defined(__x86_64__)

#include <immintrin.h>

#include "record/char_class.h"
#include "record/internal/text_scan.h"

namespace headrace::internal {
namespace {

#include "record/internal/text_scan_types.inl.h"

INLINE __m256i splat(u8 byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }

INLINE u64 bits_of(__m256i bytes) { return static_cast<u32>(_mm256_movemask_epi8(bytes)); }

INLINE u64 equal(__m256i a, __m256i b) { return bits_of(_mm256_cmpeq_epi8(a, b)); }

struct NibbleTables {
  alignas(16) u8 low[8][16] = {};  // [class][low nibble]: which high nibbles, as bits
  alignas(16) u8 high[16] = {};

  NibbleTables() {
    for (u32 i = 0; i < 8; ++i) high[i] = static_cast<u8>(1 << i);
    for (u32 c = 0; c < 128; ++c) {
      for (u32 k = 0; k < 8; ++k) {
        if (kCharClassTable[c] >> k & 1) low[k][c & 15] |= static_cast<u8>(1 << (c >> 4));
      }
    }
  }
};

// add_rare() with a lane for each class: the masks of Masks follow each other as the bits of a
// class byte do.
__attribute__((noinline)) void add_rare_by_lanes(const u8* p, u64 rare, Masks* m) {
  const __m256i one = _mm256_set1_epi64x(1);
  __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&m->letter));
  __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(&m->punct));
  for (; rare; rare = _blsr_u64(rare)) {
    const u64 i = _tzcnt_u64(rare);
    const __m256i classes = _mm256_set1_epi64x(class_of(decode(p + i)));
    const __m128i place = _mm_cvtsi64_si128(static_cast<long long>(i));
    const auto bits = [&](__m256i shift) {
      return _mm256_sll_epi64(_mm256_and_si256(_mm256_srlv_epi64(classes, shift), one), place);
    };
    low = _mm256_or_si256(low, bits(_mm256_setr_epi64x(0, 1, 2, 3)));
    high = _mm256_or_si256(high, bits(_mm256_setr_epi64x(4, 5, 6, 7)));
  }
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(&m->letter), low);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(&m->punct), high);
}

struct Classifier {
  const NibbleTables& tables;

  INLINE __m256i row(const u8* table) const {
    return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(table)));
  }

  // Adds 32 bytes, whose masks begin at bit `shift`.
  INLINE void half(const u8* p, int shift, Masks* m, u64* lead) const {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
    const u64 non_ascii = bits_of(bytes);
    m->non_ascii |= non_ascii << shift;
    if (non_ascii != 0xFFFFFFFF) ascii(bytes, shift, m);
    if (non_ascii) {
      const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 1));
      const __m256i from_e4 = _mm256_sub_epi8(bytes, splat(0xE4));
      const u64 hexagram = equal(bytes, splat(0xE4)) & equal(second, splat(0xB7));
      m->han |= (equal(_mm256_min_epu8(from_e4, splat(5)), from_e4) & ~hexagram) << shift;
      *lead |= equal(_mm256_max_epu8(bytes, splat(0xC0)), bytes) << shift;
    }
  }

  INLINE void ascii(__m256i bytes, int shift, Masks* m) const {
    const __m256i nibble = splat(15);
    const __m256i low_nibble = _mm256_and_si256(bytes, nibble);
    const __m256i high_bit = _mm256_shuffle_epi8(
        row(tables.high), _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
    const auto in_class = [&](int k) {
      const __m256i hit =
          _mm256_and_si256(_mm256_shuffle_epi8(row(tables.low[k]), low_nibble), high_bit);
      return (equal(hit, _mm256_setzero_si256()) ^ 0xFFFFFFFF) << shift;
    };
    m->letter |= in_class(0);
    m->digit |= in_class(1);
    m->upper |= in_class(2);
    m->space |= in_class(3);
    m->punct |= in_class(4);
    m->end_mark |= in_class(6);
    m->closer |= in_class(7);
    m->newline |= equal(bytes, splat('\n')) << shift;
  }

  INLINE void operator()(const u8* p, Masks* m) const {
    *m = Masks{};
    u64 lead = 0;
    half(p, 0, m, &lead);
    half(p + 32, 32, m, &lead);
    m->continuation = m->non_ascii & ~lead;
    const u64 rare = lead & ~m->han;
    if (rare) add_rare_by_lanes(p, rare, m);
  }
};

// The tables are made by the first scan, not by a static constructor: that would run these
// instructions on machines that lack them.
INLINE Classifier make_classifier() {
  static const NibbleTables tables;
  return Classifier{tables};
}

// Eight at a time, so that the branch is on eighths of the count and not on the count.
INLINE u32 positions(u64 bits, u32 base, u32* out) {
  const u32 count = popcount(bits);
  for (u32 i = 0; i < count; i += 8) {
    for (u32 k = 0; k < 8; ++k) {
      out[i + k] = base + static_cast<u32>(_tzcnt_u64(bits));
      bits = _blsr_u64(bits);
    }
  }
  return count;
}

INLINE u64 low_bytes(u64 x, u32 n) { return _bzhi_u64(x, 8 * n); }

#include "record/internal/text_scan.inl.h"

// The lower half of the product of 64-bit numbers, which AVX2 has no instruction for.
INLINE __m256i multiply(__m256i x, u64 factor) {
  const __m256i low = _mm256_set1_epi64x(static_cast<long long>(factor & 0xFFFFFFFF));
  const __m256i high = _mm256_set1_epi64x(static_cast<long long>(factor >> 32));
  const __m256i cross =
      _mm256_add_epi64(_mm256_mul_epu32(x, high), _mm256_mul_epu32(_mm256_srli_epi64(x, 32), low));
  return _mm256_add_epi64(_mm256_mul_epu32(x, low), _mm256_slli_epi64(cross, 32));
}

// add_chunk() of four words, of the first `bytes` of each chunk, 0 to 8.
INLINE __m256i add_chunks(__m256i hash, __m256i chunk, __m128i bytes) {
  const __m256i drop =
      _mm256_cvtepu32_epi64(_mm_slli_epi32(_mm_sub_epi32(_mm_set1_epi32(8), bytes), 3));
  const __m256i kept = _mm256_and_si256(chunk, _mm256_srlv_epi64(_mm256_set1_epi64x(-1), drop));
  const __m256i upper = _mm256_srli_epi64(_mm256_and_si256(kept, splat(0x40)), 1);
  const __m256i non_ascii = _mm256_srli_epi64(_mm256_and_si256(kept, splat(0x80)), 2);
  const __m256i folded = _mm256_or_si256(kept, _mm256_andnot_si256(non_ascii, upper));
  const __m256i x = multiply(_mm256_xor_si256(hash, folded), kChunkFactor);
  return _mm256_xor_si256(x, _mm256_srli_epi64(x, 32));
}

// Four words at a time: one gather for their first 8 bytes, one more if any is longer, and words of
// more than 16 bytes go on one by one.
void hash_words(const u8* text, const u32* begin, const u32* end, u32 count, u64* hash) {
  // Gathers take signed offsets.
  if (count > 0 && end[count - 1] > 0x7FFFFFFF) {
    hash_words_singly(text, begin, end, count, hash);
    return;
  }
  const auto gather = [](const u8* from, __m128i at) {
    return _mm256_i32gather_epi64(reinterpret_cast<const long long*>(from), at, 1);
  };
  const auto longer = [](__m128i size, int than) {
    return _mm_cmpgt_epi32(size, _mm_set1_epi32(than));
  };
  const __m128i eight = _mm_set1_epi32(8);
  u32 i = 0;
  for (; i + 4 <= count; i += 4) {
    const __m128i at = _mm_loadu_si128(reinterpret_cast<const __m128i*>(begin + i));
    const __m128i size =
        _mm_sub_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(end + i)), at);
    __m256i h = multiply(_mm256_cvtepu32_epi64(size), kLengthFactor);
    h = add_chunks(h, gather(text, at), _mm_min_epi32(size, eight));
    const __m128i more = longer(size, 8);
    if (_mm_movemask_epi8(more) != 0) {
      const __m128i rest = _mm_min_epi32(_mm_sub_epi32(size, eight), eight);
      const __m256i second = add_chunks(h, gather(text + 8, _mm_and_si128(at, more)),
                                        _mm_max_epi32(rest, _mm_setzero_si128()));
      h = _mm256_blendv_epi8(h, second, _mm256_cvtepi32_epi64(more));
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(hash + i), h);
    u32 endless = static_cast<u32>(_mm_movemask_ps(_mm_castsi128_ps(longer(size, 16))));
    for (; __builtin_expect(endless != 0, 0); endless &= endless - 1) {
      const u32 k = i + static_cast<u32>(__builtin_ctz(endless));
      hash[k] = hash_rest(hash[k], text + begin[k], end[k] - begin[k], 16);
    }
  }
  hash_words_singly(text, begin + i, end + i, count - i, hash + i);
}

}  // namespace

const TextKernels kAvx2TextKernels = {scan, hash_words};

}  // namespace headrace::internal

#endif  // __x86_64__
