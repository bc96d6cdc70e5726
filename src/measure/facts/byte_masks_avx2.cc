// SPDX-License-Identifier: Apache-2.0
// A class of ASCII characters is a row of sixteen bytes: entry l holds the high nibbles that make a
// member with the low nibble l. One shuffle finds the row's entry for 32 characters at once.
#if defined(__x86_64__)

#include <immintrin.h>

#include "measure/internal/byte_masks.h"

namespace headrace::measure::internal {
namespace {

using u64 = std::uint64_t;

struct Row {
  alignas(16) std::uint8_t bits[16];
};

template <class IsMember>
constexpr Row row_of(IsMember is_member) {
  Row row{};
  for (unsigned c = 0; c < 128; ++c) {
    if (is_member(c)) row.bits[c % 16] = static_cast<std::uint8_t>(row.bits[c % 16] | 1U << c / 16);
  }
  return row;
}

constexpr Row kBracket = row_of([](unsigned c) {
  return c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}';
});
constexpr Row kUrl = row_of([](unsigned c) { return c == ':' || c == '.'; });
constexpr Row kControl = row_of([](unsigned c) { return c < 9 || (c > 13 && c < 32) || c == 127; });
constexpr Row kEncoded = row_of([](unsigned c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '/' || c == '=';
});

__m256i wide(const std::uint8_t* row) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
}

u64 mask32(__m256i bytes) { return static_cast<std::uint32_t>(_mm256_movemask_epi8(bytes)); }

// Bit i: byte i belongs to the row. `high`: 1 << high nibble, 0 for bytes that are not ASCII.
u64 members(const std::uint8_t* row, __m256i low, __m256i high) {
  const __m256i hit = _mm256_and_si256(_mm256_shuffle_epi8(wide(row), low), high);
  return ~mask32(_mm256_cmpeq_epi8(hit, _mm256_setzero_si256())) & 0xFFFFFFFF;
}

ByteMasks masks_of(const unsigned char* text, const SeenAscii& seen) {
  ByteMasks masks{};
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i bit_of = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                          1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  for (int half = 0; half < 64; half += 32) {
    const auto load = [&](int at) {
      return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + half + at));
    };
    const __m256i bytes = load(0);
    const __m256i low = _mm256_and_si256(bytes, nibble);
    const __m256i high =
        _mm256_shuffle_epi8(bit_of, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
    masks.same |= mask32(_mm256_cmpeq_epi8(bytes, load(1))) << half;
    masks.bracket |= members(kBracket.bits, low, high) << half;
    const __m256i open = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('{'));
    const __m256i close = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('}'));
    masks.brace |= mask32(_mm256_or_si256(open, close)) << half;
    masks.url |= members(kUrl.bits, low, high) << half;
    masks.control |= members(kControl.bits, low, high) << half;
    masks.encoded |= members(kEncoded.bits, low, high) << half;
    const u64 ascii = ~mask32(bytes) & 0xFFFFFFFF;
    masks.unseen |= (ascii & ~members(seen.bits, low, high)) << half;
  }
  return masks;
}

}  // namespace

const ByteMasksOf kAvx2ByteMasks = masks_of;

}  // namespace headrace::measure::internal

#endif  // __x86_64__
