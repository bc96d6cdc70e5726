// SPDX-License-Identifier: Apache-2.0
// Pieces → ids, bounded: what an encoder has merged before and most likely will meet again.
//
// Text repeats its words, so nearly all pieces of a corpus are answered here by one cache line:
// 64-byte buckets of two entries, a key of up to 15 bytes plus length, up to four ids beside it.
// A new entry takes the first place and pushes the one there to the second. Pieces of 16 to 64
// bytes, and shorter ones of more ids, have a second, direct-mapped table. Longer pieces are not
// kept: they are rare, and keeping them would make the size depend on the input. Nothing grows,
// nothing is looked up along chains.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#if defined(__SSE4_2__)
#include <nmmintrin.h>
#endif

#include "base/big_table.h"

namespace headrace::tokenize {

// Single-threaded.
class PieceCache {
 public:
  static constexpr std::size_t kMostShort = 15;  // bytes of a piece in the first table
  static constexpr std::size_t kMostLong = 64;   // bytes of a piece in the second
  static constexpr std::size_t kMostShortIds = 4;
  static constexpr std::size_t kMostLongIds = 14;

  // A short piece as the first table knows it. Never all zero, never all one.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Key&) const = default;
  };
  static constexpr Key kNoKey = {~std::uint64_t{0}, ~std::uint64_t{0}};  // found nowhere

  // Up to four ids; the upper bits of the first say how many.
  struct Value {
    std::uint32_t ids[kMostShortIds];

    static constexpr int kCountShift = 29;
    static constexpr std::uint32_t kIdMask = (std::uint32_t{1} << kCountShift) - 1;
    static constexpr std::uint32_t kElsewhere = 7;  // a count: look in the second table
    std::uint32_t count() const { return ids[0] >> kCountShift; }
  };

  PieceCache() : buckets_(std::size_t{1} << kBucketBits), long_(std::size_t{1} << kLongBits) {}

  // 16 bytes must be readable at p. 1 to kMostShort `size`.
  static Key key_at(const char* p, std::size_t size) {
    std::uint64_t words[2];
    std::memcpy(words, p, sizeof(words));
    return {words[0] & kMasks[size].low,
            (words[1] & kMasks[size].high) | std::uint64_t{size} << 56};
  }
  static Key key(std::string_view piece) {
    std::uint64_t words[2] = {0, 0};
    std::memcpy(words, piece.data(), piece.size());
    return {words[0], words[1] | std::uint64_t{piece.size()} << 56};
  }

  static std::uint32_t hash(const Key& key) {
#if defined(__SSE4_2__)
    return static_cast<std::uint32_t>(_mm_crc32_u64(_mm_crc32_u64(0, key.low), key.high));
#else
    std::uint64_t mixed = (key.low ^ key.high >> 32 ^ key.high << 32) * 0x9E3779B97F4A7C15U;
    mixed = (mixed ^ key.high ^ mixed >> 32) * 0xC2B2AE3D27D4EB4FU;
    return static_cast<std::uint32_t>(mixed >> 32);
#endif
  }

  void prefetch(std::uint32_t hash) const { __builtin_prefetch(&bucket(hash)); }

  // The ids of a short piece, without a branch. False: they are of something else.
  bool find(const Key& key, std::uint32_t hash, Value* value) const {
    const Bucket& from = bucket(hash);
    const std::uint64_t first = (from.keys[0].low ^ key.low) | (from.keys[0].high ^ key.high);
    const std::uint64_t second = (from.keys[1].low ^ key.low) | (from.keys[1].high ^ key.high);
    *value = from.values[first != 0 ? 1 : 0];
    return first == 0 || second == 0;
  }

  // `ids`: of more than kMostShortIds only that they are in the second table, or were.
  void insert(const Key& key, std::uint32_t hash, std::span<const std::uint32_t> ids);

  // The second table: pieces of 5 to kMostLong bytes, up to kMostLongIds ids.
  static std::uint32_t long_hash(std::string_view piece);
  void prefetch_long(std::uint32_t hash) const {
    const char* at = long_[hash & kLongMask].bytes;
    __builtin_prefetch(at);
    __builtin_prefetch(at + 64);
  }
  // Empty: not here.
  std::span<const std::uint32_t> find_long(std::string_view piece, std::uint32_t hash) const;
  void insert_long(std::string_view piece, std::uint32_t hash, std::span<const std::uint32_t> ids);

 private:
  static constexpr int kBucketBits = 19;  // 32 MiB
  static constexpr int kLongBits = 15;    // 4 MiB
  static constexpr std::uint32_t kBucketMask = (std::uint32_t{1} << kBucketBits) - 1;
  static constexpr std::uint32_t kLongMask = (std::uint32_t{1} << kLongBits) - 1;

  struct alignas(64) Bucket {
    Key keys[2];
    Value values[2];
  };
  struct alignas(64) LongEntry {
    char bytes[kMostLong];
    std::uint32_t size;
    std::uint32_t count;
    std::uint32_t ids[kMostLongIds];
  };

  const Bucket& bucket(std::uint32_t hash) const { return buckets_[hash & kBucketMask]; }

  static const Key kMasks[kMostShort + 1];

  BigTable<Bucket> buckets_;
  BigTable<LongEntry> long_;
};

}  // namespace headrace::tokenize
