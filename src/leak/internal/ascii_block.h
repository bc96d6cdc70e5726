// SPDX-License-Identifier: Apache-2.0
// Letters and digits of 64 bytes, as bits. Private to the room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace headrace::leak {

struct AsciiBlock {
  std::uint64_t letters = 0;  // of ASCII, either case
  std::uint64_t digits = 0;
  std::uint64_t other = 0;  // bytes that are not ASCII
};

// The definition, and what machines without SSE2 run: x86-64 all have it.
inline AsciiBlock classify_plainly(const char* bytes) {
  AsciiBlock block;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t byte = static_cast<unsigned char>(bytes[i]);
    block.letters |= std::uint64_t{((byte | 0x20) - 'a') < 26U} << i;
    block.digits |= std::uint64_t{(byte - '0') < 10U} << i;
    block.other |= std::uint64_t{byte >= 0x80} << i;
  }
  return block;
}

inline AsciiBlock classify(const char* bytes) {
#if defined(__SSE2__)
  AsciiBlock block;
  // x is within [first, first + n) if x - first, moved to the bottom of the signed bytes, is less
  // than the bottom + n.
  const auto within = [](__m128i x, int first, int n) {
    const __m128i moved = _mm_add_epi8(x, _mm_set1_epi8(static_cast<char>(-128 - first)));
    return _mm_cmplt_epi8(moved, _mm_set1_epi8(static_cast<char>(-128 + n)));
  };
  const auto bits = [](__m128i x, int i) {
    return std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(x))} << i;
  };
  for (int i = 0; i < 64; i += 16) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + i));
    block.letters |= bits(within(_mm_or_si128(x, _mm_set1_epi8(0x20)), 'a', 26), i);
    block.digits |= bits(within(x, '0', 10), i);
    block.other |= bits(x, i);
  }
  return block;
#else
  return classify_plainly(bytes);
#endif
}

}  // namespace headrace::leak
