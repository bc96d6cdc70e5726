// SPDX-License-Identifier: Apache-2.0
// A class of ASCII characters is a row of sixteen bytes: entry l holds the high nibbles that make a
// member with the low nibble l. One shuffle finds the entries of 32 characters at once.
#if defined(__x86_64__)

#include <immintrin.h>

#include "measure/internal/ascii_scan.h"

namespace headrace::measure::internal {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct Masks {
  u64 same, bracket, url, control, encoded, unseen;
};

struct Row {
  alignas(16) u8 bits[16];
};

template <class IsMember>
constexpr Row row_of(IsMember is_member) {
  Row row{};
  for (unsigned c = 0; c < 128; ++c) {
    if (is_member(c)) row.bits[c % 16] = static_cast<u8>(row.bits[c % 16] | 1U << c / 16);
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

inline u64 mask32(__m256i bytes) { return static_cast<u32>(_mm256_movemask_epi8(bytes)); }

// Bit i is *clear* where byte i belongs to the row. `high`: 1 << high nibble, 0 for bytes that are
// not ASCII.
inline u64 strangers(const u8* row, __m256i low, __m256i high) {
  const __m256i wide =
      _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(row)));
  const __m256i hit = _mm256_and_si256(_mm256_shuffle_epi8(wide, low), high);
  return mask32(_mm256_cmpeq_epi8(hit, _mm256_setzero_si256()));
}

inline Masks masks_of(const u8* text, const AsciiCounts& counts) {
  const __m256i nibble = _mm256_set1_epi8(15);
  const __m256i bit_of = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0,  //
                                          1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
  Masks no{};  // complements
  u64 same = 0;
  for (int half = 0; half < 64; half += 32) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + half));
    const __m256i next = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(text + half + 1));
    const __m256i low = _mm256_and_si256(bytes, nibble);
    const __m256i high =
        _mm256_shuffle_epi8(bit_of, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
    same |= mask32(_mm256_cmpeq_epi8(bytes, next)) << half;
    no.bracket |= strangers(kBracket.bits, low, high) << half;
    no.url |= strangers(kUrl.bits, low, high) << half;
    no.control |= strangers(kControl.bits, low, high) << half;
    no.encoded |= strangers(kEncoded.bits, low, high) << half;
    no.unseen |= strangers(counts.seen, low, high) << half;
  }
  return {same, ~no.bracket, ~no.url, ~no.control, ~no.encoded, no.unseen};
}

#include "measure/internal/ascii_scan.inl.h"

}  // namespace

const AsciiScan kAvx2AsciiScan = scan;

}  // namespace headrace::measure::internal

#endif  // __x86_64__
