// SPDX-License-Identifier: Apache-2.0
// N-grams of a given length in units, by their hash. Private to the room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headrace::leak {

// Part of the index formats, as is everything that a hash is made of; see
// docs/formats/leak-index.md.
inline constexpr std::uint64_t kTokenFactor = 0x9DDFEA08EB382D69;
inline constexpr std::uint64_t kMixFactor = 0xD6E8FEB86659FD93;

// Half units a token has. An n-gram is as short as reaches its length: a function of what it
// holds, so items and documents agree, and mixed text needs no switch between languages.
inline constexpr std::uint8_t kSingleHalfUnits = 2;  // a Han character
inline constexpr std::uint8_t kWordHalfUnits = 3;    // a word or number
inline constexpr std::uint8_t kLetterHalfUnits =
    1;  // of one letter or digit: formulas are made of these
inline constexpr std::uint32_t kMostHalfUnits = 64;  // of an n-gram, so of its tokens too

inline std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 32;
  x *= kMixFactor;
  x ^= x >> 32;
  x *= kMixFactor;
  x ^= x >> 32;
  return x;
}

// kTokenFactor to the n.
inline constexpr auto kTokenFactors = [] {
  std::array<std::uint64_t, kMostHalfUnits + 1> powers{};
  powers[0] = 1;
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * kTokenFactor;
  return powers;
}();

// Tokens as n-grams need them: prefixes[i] is the polynomial hash of the first i tokens.
struct TokenRow {
  std::span<const std::uint64_t> prefixes;   // one more than tokens
  std::span<const std::uint8_t> half_units;  // by token

  std::size_t size() const { return half_units.size(); }
  // Hash of tokens [begin, end), at most kMostHalfUnits of them.
  std::uint64_t gram(std::size_t begin, std::size_t end) const {
    return mix(prefixes[end] - prefixes[begin] * kTokenFactors[end - begin]);
  }
  // 32 bits of a single token.
  std::uint32_t token(std::size_t i) const {
    return static_cast<std::uint32_t>((prefixes[i + 1] - prefixes[i] * kTokenFactor) >> 32);
  }
};

// Calls visit(hash, begin, end) for the n-gram that starts at each token, while there is one.
template <class Visit>
void for_each_gram(TokenRow row, std::uint32_t half_units, Visit&& visit) {
  const std::size_t size = row.size();
  std::size_t end = 0;
  std::uint32_t units = 0;
  for (std::size_t begin = 0; begin < size; ++begin) {
    while (units < half_units) {
      if (end == size) return;
      units += row.half_units[end++];
    }
    visit(row.gram(begin, end), begin, end);
    units -= row.half_units[begin];
  }
}

}  // namespace headrace::leak
