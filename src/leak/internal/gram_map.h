// SPDX-License-Identifier: Apache-2.0
// N-gram hash → number, and a filter before it. Private to the room.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace headrace::leak {

// Open addressing, at most half full. The hash 0 counts as 1.
class GramMap {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // For up to `grams` of them.
  explicit GramMap(std::size_t grams = 0)
      : mask_(std::bit_ceil(2 * grams + 2) - 1), keys_(mask_ + 1), values_(mask_ + 1) {}

  // Adds a hash that is not there.
  void add(std::uint64_t hash, std::uint32_t value) {
    const std::size_t at = place(hash);
    keys_[at] = key(hash);
    values_[at] = value;
  }
  std::uint32_t find(std::uint64_t hash) const {
    const std::size_t at = place(hash);
    return keys_[at] == 0 ? kNone : values_[at];
  }
  std::size_t memory_bytes() const { return keys_.size() * 12; }

 private:
  static std::uint64_t key(std::uint64_t hash) { return hash == 0 ? 1 : hash; }
  std::size_t place(std::uint64_t hash) const {
    std::size_t at = key(hash) & mask_;
    while (keys_[at] != 0 && keys_[at] != key(hash)) at = (at + 1) & mask_;
    return at;
  }

  std::size_t mask_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> values_;
};

// Bloom filter of three bits in one word: one look into memory a probe, 16 bits a gram, and about
// 1 % of other grams let through.
class GramFilter {
 public:
  explicit GramFilter(std::size_t grams = 0)
      : shift_(64 - static_cast<int>(std::bit_width(std::bit_ceil(grams / 4 + 2) - 1))),
        words_(std::size_t{1} << (64 - shift_)) {}

  void add(std::uint64_t hash) { words_[hash >> shift_] |= bits(hash); }
  bool may_have(std::uint64_t hash) const {
    const std::uint64_t wanted = bits(hash);
    return (words_[hash >> shift_] & wanted) == wanted;
  }
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&words_[hash >> shift_]); }
  std::size_t memory_bytes() const { return words_.size() * 8; }

 private:
  static std::uint64_t bits(std::uint64_t hash) {
    return std::uint64_t{1} << (hash & 63) | std::uint64_t{1} << (hash >> 6 & 63) |
           std::uint64_t{1} << (hash >> 12 & 63);
  }

  int shift_;
  std::vector<std::uint64_t> words_;
};

}  // namespace headrace::leak
