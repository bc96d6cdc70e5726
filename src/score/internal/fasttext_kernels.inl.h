// SPDX-License-Identifier: Apache-2.0
// The loops of internal/fasttext_kernels.h. A unit includes this file inside its anonymous
// namespace, after fasttext_types.inl.h and after it has defined
//
//   u64 separators(const u8* p)       which of 64 bytes separate tokens: space, \t \n \v \f \r, NUL
//   void widen16(const u8* p, u32* out)               16 bytes to 16 numbers
//   u64 decode_chars(const u8* p, u64 size, u32* out, u64* used)
//        the characters of a token from p, `size` bytes before its end: each the little-endian
//        number of its bytes. Uses some or all bytes, sets how many; returns the number of
//        characters, at most 64, or kMalformed for one of more than 4 bytes or p[0] inside one.
//        May write 80 numbers. A character is a byte and the 0x80..0xBF bytes behind it.
//   u32 find_hits(const GramTables& t, const u32* chars, u32 begin, u32 end, u32* hits)
//        the buckets with a row of all n-grams that begin at chars[begin, end); end - begin is
//        rounded up to 32, and behind the last character there are zeros

struct KeyMasks {
  WordKey of[kShortWord + 1] = {};
  constexpr KeyMasks() {
    for (u32 i = 0; i < 16; ++i) {
      for (u32 size = i + 1; size <= kShortWord; ++size) {
        (i < 8 ? of[size].low : of[size].high) |= u64{0xFF} << (8 * (i & 7));
      }
    }
  }
};
constexpr KeyMasks kKeyMasks;

// The key of a token of 1 to 16 bytes.
INLINE WordKey key_of(const u8* p, u64 size) {
  WordKey key;
  __builtin_memcpy(&key, p, 16);
  key.low &= kKeyMasks.of[size].low;
  key.high &= kKeyMasks.of[size].high;
  return key;
}

INLINE u32 hash_bytes(const u8* p, u64 size) {
  u32 h = kFirstHash;
  for (u64 i = 0; i < size; ++i) h = (h ^ sign_extended(p[i])) * kHashPrime;
  return h;
}

INLINE bool is_end_of_line(const u8* p, u64 size) {
  return size == 4 && __builtin_memcmp(p, "</s>", 4) == 0;
}

INLINE bool is_label(const u8* p, u64 size) {
  return size >= 9 && __builtin_memcmp(p, "__label__", 9) == 0;
}

INLINE i32 find_word(const WordIndex& index, const u8* p, u64 size, u32 hash) {
  for (u32 at = hash & index.mask; index.slots[at] != 0; at = (at + 1) & index.mask) {
    if (index.slots[at] >> 32 != hash) continue;
    const u32 id = static_cast<u32>(index.slots[at]) - 1;
    const u32 begin = index.begin[id];
    if (index.begin[id + 1] - begin == size &&
        __builtin_memcmp(index.bytes + begin, p, size) == 0) {
      return static_cast<i32>(id);
    }
  }
  return -1;
}

// The loops over tokens: visit(token, size) until it returns false. The zeros behind the text end
// the last token.
template <class Visit>
INLINE void for_tokens(const u8* text, u64 size, Visit visit) {
  u64 begin = 0;
  for (u64 base = 0; base <= size; base += 64) {
    for (u64 bits = separators(text + base); bits != 0; bits &= bits - 1) {
      const u64 end = base + static_cast<u64>(__builtin_ctzll(bits));
      if (end > size) return;
      if (end > begin && !visit(text + begin, end - begin)) return;
      begin = end + 1;
    }
  }
}

#include "score/internal/fold_sums.inl.h"
#include "score/internal/gram_sums.inl.h"

void add_rows(const float* rows, u64 dim, const u32* ids, u64 count, float* sum) {
  constexpr u64 kAhead = 8;
  for (u64 i = 0; i < count; ++i) {
    if (i + kAhead < count) {
      const float* next = rows + ids[i + kAhead] * dim;
      for (u64 d = 0; d < dim; d += 16) __builtin_prefetch(next + d);
    }
    const float* __restrict row = rows + ids[i] * dim;
    float* __restrict out = sum;
    for (u64 d = 0; d < dim; ++d) out[d] += row[d];
  }
}

void multiply(const float* weights, const float* hidden, u64 dim, u64 blocks, float* out) {
  for (u64 b = 0; b < blocks; ++b) {
    Lanes sum = {};
    for (u64 d = 0; d < dim; ++d, weights += 16) {
      sum += *reinterpret_cast<const Lanes*>(weights) * hidden[d];
    }
    __builtin_memcpy(out + 16 * b, &sum, sizeof(sum));
  }
}

// Cody and Waite's reduction and the polynomial of Cephes' expf. Not a number becomes e^-87.
INLINE float exponential_of(float x) {
  x = x > -87.0f ? x : -87.0f;
  x = x < 87.0f ? x : 87.0f;
  constexpr float kRound = 12582912.0f;  // 1.5 * 2^23
  const float n = (x * 1.44269504f + kRound) - kRound;
  const float r = (x - n * 0.693359375f) - n * -2.12194440e-4f;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = (p * (r * r) + r) + 1.0f;
  const i32 bits = (static_cast<i32>(n) + 127) << 23;
  float scale;
  __builtin_memcpy(&scale, &bits, 4);
  return p * scale;
}

void exponential(float* x, u64 count) {
  for (u64 i = 0; i < count; ++i) x[i] = exponential_of(x[i]);
}

void sigmoid(float* x, u64 count) {
  for (u64 i = 0; i < count; ++i) x[i] = 1.0f / (1.0f + exponential_of(-x[i]));
}
