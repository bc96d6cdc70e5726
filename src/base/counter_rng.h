// SPDX-License-Identifier: Apache-2.0
// Randomness as a function: keyed (seed, purpose, epoch, index), so there is no generator state to
// save and any worker can draw any number in any order.
#pragma once

#include <cstdint>
#include <string_view>

namespace headrace {

// Mixes 64 bits to 64 bits (the finaliser of SplitMix64: Steele, Lea, Flood, OOPSLA 2014); a
// bijection.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

__extension__ using Uint128 = unsigned __int128;

// A purpose is a short stable word ("shard", "window", "mix"); FNV-1a makes it a number at compile
// time.
constexpr std::uint64_t purpose(std::string_view name) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

// A random number generator for one (seed, purpose, epoch): at(index) is uniform on 64 bits.
// Persistent: orders and samples of existing runs depend on these bits; another function needs
// another purpose.
class CounterRng {
 public:
  constexpr CounterRng(std::uint64_t seed, std::uint64_t purpose_id, std::uint64_t epoch = 0)
      : key_(mix64(mix64(mix64(seed) ^ purpose_id) ^ epoch)) {}

  constexpr std::uint64_t at(std::uint64_t index) const {
    return mix64(mix64(key_ ^ index) + key_);
  }

  // Uniform in [0, 1) with 53 bits.
  constexpr double unit(std::uint64_t index) const {
    return static_cast<double>(at(index) >> 11) * 0x1p-53;
  }

  // Uniform in [0, bound), bound > 0; bias below bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t index, std::uint64_t bound) const {
    return static_cast<std::uint64_t>((static_cast<Uint128>(at(index)) * bound) >> 64);
  }

  constexpr std::uint64_t key() const { return key_; }

 private:
  std::uint64_t key_;
};

}  // namespace headrace
