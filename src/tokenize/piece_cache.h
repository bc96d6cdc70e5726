// SPDX-License-Identifier: Apache-2.0
// Pieces → ids, bounded: what an encoder has merged before and most likely will meet again.
//
// Text repeats its words, so nearly all pieces of a corpus are answered here by one cache line:
// 64-byte buckets of two entries, a key of up to 15 bytes plus length, up to four ids beside it.
// A new entry takes the first place and pushes the one there to the second. Pieces of 16 to 64
// bytes have a second, direct-mapped table. Longer pieces and pieces of more ids are not kept: they
// are rare, and keeping them would make the size depend on the input. Nothing grows, nothing is
// looked up along chains.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

namespace headrace::tokenize {

// Single-threaded.
class PieceCache {
 public:
  static constexpr std::size_t kMostShort = 15;  // bytes of a piece in the first table
  static constexpr std::size_t kMostLong = 64;   // bytes of a piece in the second
  static constexpr std::size_t kMostShortIds = 4;
  static constexpr std::size_t kMostLongIds = 14;

  // A short piece as the tables know it. Never all zero.
  struct Key {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const Key&) const = default;
  };

  PieceCache() : buckets_(std::size_t{1} << kBucketBits), long_(std::size_t{1} << kLongBits) {}

  // `readable`: bytes that may be read from piece.data() on; 16 make it quick. `mark` keeps
  // pieces apart that have equal bytes but other ids.
  static Key key(std::string_view piece, std::size_t readable, bool mark) {
    std::uint64_t words[2] = {0, 0};
    if (readable >= sizeof(words)) {
      std::memcpy(words, piece.data(), sizeof(words));
      const std::size_t bits = piece.size() * 8;
      words[0] &= bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~std::uint64_t{0};
      words[1] &= bits <= 64 ? 0 : (std::uint64_t{1} << (bits - 64)) - 1;
    } else {
      std::memcpy(words, piece.data(), piece.size());
    }
    return {words[0], words[1] | std::uint64_t{piece.size() | (mark ? 0x80U : 0U)} << 56};
  }

  // Whether the piece has only bytes below 0x80.
  static bool is_ascii(const Key& key) {
    return ((key.low | (key.high & 0x00FFFFFFFFFFFFFFU)) & 0x8080808080808080U) == 0;
  }

  static std::uint64_t hash(const Key& key) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{key.low ^ 0x9E3779B97F4A7C15U} * (key.high ^ 0xC2B2AE3D27D4EB4FU);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&buckets_[hash & kBucketMask]); }

  // The ids of a short piece; empty: not here.
  std::span<const std::uint32_t> find(const Key& key, std::uint64_t hash) const {
    const Bucket& bucket = buckets_[hash & kBucketMask];
    for (int way = 0; way < 2; ++way) {
      if (bucket.keys[way] == key) return {bucket.ids[way], count_of(bucket.ids[way])};
    }
    return {};
  }

  // `ids`: 1 to kMostShortIds.
  void insert(const Key& key, std::uint64_t hash, std::span<const std::uint32_t> ids);

  // The same for pieces of kMostShort + 1 to kMostLong bytes.
  std::span<const std::uint32_t> find_long(std::string_view piece, std::uint64_t hash) const;
  void insert_long(std::string_view piece, std::uint64_t hash, std::span<const std::uint32_t> ids);

 private:
  static constexpr int kBucketBits = 17;  // 8 MiB
  static constexpr int kLongBits = 13;    // 1 MiB
  static constexpr std::uint64_t kBucketMask = (std::uint64_t{1} << kBucketBits) - 1;
  static constexpr std::uint64_t kLongMask = (std::uint64_t{1} << kLongBits) - 1;
  static constexpr std::uint32_t kNoId = 0xFFFFFFFF;

  struct alignas(64) Bucket {
    Key keys[2];
    std::uint32_t ids[2][kMostShortIds];  // behind the last: kNoId
  };
  struct alignas(64) LongEntry {
    char bytes[kMostLong];
    std::uint32_t size;
    std::uint32_t count;
    std::uint32_t ids[kMostLongIds];
  };

  static std::size_t count_of(const std::uint32_t* ids) {
    return 1U + (ids[1] != kNoId) + (ids[2] != kNoId) + (ids[3] != kNoId);
  }

  std::vector<Bucket> buckets_;
  std::vector<LongEntry> long_;
};

}  // namespace headrace::tokenize
