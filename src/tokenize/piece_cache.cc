// SPDX-License-Identifier: Apache-2.0
#include "tokenize/piece_cache.h"

#include <algorithm>

#include "base/error.h"

namespace headrace::tokenize {

void PieceCache::insert(const Key& key, std::uint64_t hash, std::span<const std::uint32_t> ids) {
  HEADRACE_DCHECK(!ids.empty() && ids.size() <= kMostShortIds);
  Bucket& bucket = buckets_[hash & kBucketMask];
  bucket.keys[1] = bucket.keys[0];
  std::ranges::copy(bucket.ids[0], bucket.ids[1]);
  bucket.keys[0] = key;
  std::ranges::fill(bucket.ids[0], kNoId);
  std::ranges::copy(ids, bucket.ids[0]);
}

std::span<const std::uint32_t> PieceCache::find_long(std::string_view piece,
                                                     std::uint64_t hash) const {
  const LongEntry& entry = long_[hash & kLongMask];
  if (entry.size != piece.size() || std::memcmp(entry.bytes, piece.data(), piece.size()) != 0) {
    return {};
  }
  return {entry.ids, entry.count};
}

void PieceCache::insert_long(std::string_view piece, std::uint64_t hash,
                             std::span<const std::uint32_t> ids) {
  HEADRACE_DCHECK(piece.size() <= kMostLong && ids.size() <= kMostLongIds);
  LongEntry& entry = long_[hash & kLongMask];
  std::ranges::copy(piece, entry.bytes);
  entry.size = static_cast<std::uint32_t>(piece.size());
  entry.count = static_cast<std::uint32_t>(ids.size());
  std::ranges::copy(ids, entry.ids);
}

}  // namespace headrace::tokenize
