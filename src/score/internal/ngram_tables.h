// SPDX-License-Identifier: Apache-2.0
// The tables of an n-gram model, laid out as in the probing binaries of KenLM, so that such a file
// is read without a step between and written as it lies in memory; part of that format.
//
// A bucket holds a key of 64 bits (0: empty) and a value; a key that does not stand in its own
// bucket stands in the next free one behind. Buckets are not aligned.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/big_table.h"

namespace headrace::score::internal {

inline constexpr std::uint32_t kUnknownWord = 0;

struct Weights {
  float prob = 0;     // log10; without its sign bit longer n-grams end in this one
  float backoff = 0;  // log10; -0.0: no longer n-gram begins with this one
};

inline constexpr std::uint32_t kSign = 0x80000000u;
inline float log_prob(float prob) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(prob) | kSign);
}
inline bool extends_left(float prob) { return (std::bit_cast<std::uint32_t>(prob) & kSign) == 0; }
inline float marked_left(float prob) {
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(prob) & ~kSign);
}
inline bool extends_right(float backoff) { return std::bit_cast<std::uint32_t>(backoff) != kSign; }

// The key of an n-gram: that of its last word, then word by word to the left.
inline std::uint64_t longer_key(std::uint64_t key, std::uint32_t word) {
  return key * 8978948897894561157ULL ^
         (1 + static_cast<std::uint64_t>(word)) * 17894857484156487943ULL;
}

// MurmurHash64A (Austin Appleby) with seed 0.
inline std::uint64_t word_key(std::string_view word) {
  constexpr std::uint64_t kMultiplier = 0xc6a4a7935bd1e995ULL;
  std::uint64_t hash = word.size() * kMultiplier;
  const char* at = word.data();
  for (std::size_t left = word.size() / 8; left > 0; --left, at += 8) {
    std::uint64_t block;
    std::memcpy(&block, at, 8);
    block *= kMultiplier;
    hash = (hash ^ (block ^ block >> 47) * kMultiplier) * kMultiplier;
  }
  if (const std::size_t rest = word.size() % 8; rest != 0) {
    std::uint64_t block = 0;
    for (std::size_t i = 0; i < rest; ++i) {
      block |= std::uint64_t{static_cast<unsigned char>(at[i])} << (8 * i);
    }
    hash = (hash ^ block) * kMultiplier;
  }
  hash = (hash ^ hash >> 47) * kMultiplier;
  return hash ^ hash >> 47;
}

// `Value` directly behind the key, without padding.
template <class Value>
class ProbingTable {
 public:
  static constexpr std::size_t kBucket = 8 + sizeof(Value);

  // The format's number of buckets, in its own arithmetic.
  static std::uint64_t buckets_for(std::uint64_t entries, float multiplier) {
    return std::max(entries + 1,
                    static_cast<std::uint64_t>(multiplier * static_cast<float>(entries)));
  }

  ProbingTable() = default;
  explicit ProbingTable(std::uint64_t buckets)
      : memory_(buckets * kBucket), buckets_(buckets), reciprocal_(~std::uint64_t{0} / buckets) {}

  char* data() { return memory_.data(); }
  const char* data() const { return memory_.data(); }
  std::uint64_t bytes() const { return buckets_ * kBucket; }
  std::uint64_t buckets() const { return buckets_; }
  std::uint64_t entries() const { return entries_; }
  void set_entries(std::uint64_t entries) { entries_ = entries; }  // after filling data()

  std::uint64_t key_at(std::uint64_t bucket) const {
    std::uint64_t key;
    std::memcpy(&key, memory_.data() + bucket * kBucket, 8);
    return key;
  }
  Value value_at(std::uint64_t bucket) const {
    Value value;
    std::memcpy(&value, memory_.data() + bucket * kBucket + 8, sizeof(Value));
    return value;
  }
  void set_value(std::uint64_t bucket, Value value) {
    std::memcpy(memory_.data() + bucket * kBucket + 8, &value, sizeof(Value));
  }

  // key % buckets: the product is at most 1 below the quotient.
  std::uint64_t home(std::uint64_t key) const {
    __extension__ using Uint128 = unsigned __int128;
    const auto quotient = static_cast<std::uint64_t>(Uint128{key} * reciprocal_ >> 64);
    const std::uint64_t rest = key - quotient * buckets_;
    return rest >= buckets_ ? rest - buckets_ : rest;
  }
  void prefetch(std::uint64_t bucket) const {
    __builtin_prefetch(memory_.data() + bucket * kBucket);
  }
  // The bucket of `key`, sought from its home on, or the empty one where it would stand. One is
  // always empty.
  std::uint64_t seek(std::uint64_t key, std::uint64_t home) const {
    for (std::uint64_t bucket = home;;) {
      const std::uint64_t found = key_at(bucket);
      if (found == key || found == 0) return bucket;
      if (++bucket == buckets_) bucket = 0;
    }
  }
  // kNone when it is not there.
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::uint64_t find(std::uint64_t key) const {
    const std::uint64_t bucket = seek(key, home(key));
    return key_at(bucket) == key && key != 0 ? bucket : kNone;
  }

  // False: it is there already. For tables with room: one bucket must stay empty.
  bool put(std::uint64_t key, Value value) {
    const std::uint64_t bucket = seek(key, home(key));
    if (key == 0 || key_at(bucket) == key) return false;
    std::memcpy(memory_.data() + bucket * kBucket, &key, 8);
    set_value(bucket, value);
    ++entries_;
    return true;
  }
  // The same, and makes room.
  bool insert(std::uint64_t key, Value value) {
    if (entries_ + 1 >= buckets_ || entries_ * 8 > buckets_ * 7) grow();
    return put(key, value);
  }

 private:
  void grow() {
    ProbingTable larger(buckets_ * 2 + 8);
    for (std::uint64_t bucket = 0; bucket < buckets_; ++bucket) {
      if (const std::uint64_t key = key_at(bucket)) larger.put(key, value_at(bucket));
    }
    *this = std::move(larger);
  }

  BigTable<char> memory_;
  std::uint64_t buckets_ = 0;
  std::uint64_t reciprocal_ = 0;
  std::uint64_t entries_ = 0;
};

}  // namespace headrace::score::internal
