// SPDX-License-Identifier: Apache-2.0
// A keyed permutation of [0, n): position → element in O(1) time and memory.
#pragma once

#include <cstdint>

namespace headrace::shuffle {

// Immutable, trivially copyable, thread-safe. Persistent: existing shard sets and resume states
// depend on its values.
class Permutation {
 public:
  static constexpr std::uint64_t kMaxSize = std::uint64_t{1} << 62;

  // Identity for n <= 1; n <= kMaxSize. `key`: see CounterRng::key; different keys give independent
  // permutations.
  Permutation(std::uint64_t n, std::uint64_t key);

  std::uint64_t size() const { return n_; }
  // Element at position i < size(). A bijection.
  std::uint64_t at(std::uint64_t i) const;

 private:
  std::uint64_t n_;
  std::uint64_t a_;  // the domain is Z_a x Z_b with a * b barely above n
  std::uint64_t b_;
  std::uint64_t key_;
};

}  // namespace headrace::shuffle
