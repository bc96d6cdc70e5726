// SPDX-License-Identifier: Apache-2.0
#include "tokenize/piece_cache.h"

#include <algorithm>

#include "base/error.h"

namespace headrace::tokenize {
namespace {

constexpr PieceCache::Key mask_of(int bytes) {
  return {bytes < 8 ? (std::uint64_t{1} << bytes * 8) - 1 : ~std::uint64_t{0},
          bytes <= 8 ? 0 : (std::uint64_t{1} << (bytes - 8) * 8) - 1};
}

std::uint64_t load_word(const char* p) {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof(word));
  return word;
}

}  // namespace

const PieceCache::Key PieceCache::kMasks[] = {mask_of(0),  mask_of(1),  mask_of(2),  mask_of(3),
                                              mask_of(4),  mask_of(5),  mask_of(6),  mask_of(7),
                                              mask_of(8),  mask_of(9),  mask_of(10), mask_of(11),
                                              mask_of(12), mask_of(13), mask_of(14), mask_of(15)};

void PieceCache::insert(const Key& key, std::uint32_t hash, std::span<const std::uint32_t> ids) {
  HEADRACE_DCHECK(!ids.empty());
  Bucket& into = buckets_[hash & kBucketMask];
  into.keys[1] = into.keys[0];
  into.values[1] = into.values[0];
  into.keys[0] = key;
  into.values[0] = {};
  const bool fits = ids.size() <= kMostShortIds;
  if (fits) std::ranges::copy(ids, into.values[0].ids);
  into.values[0].ids[0] |= (fits ? static_cast<std::uint32_t>(ids.size()) : Value::kElsewhere)
                           << Value::kCountShift;
}

std::uint32_t PieceCache::long_hash(std::string_view piece) {
  HEADRACE_DCHECK(piece.size() > kMostShortIds && piece.size() <= kMostLong);
  std::uint64_t mixed = piece.size();
  const auto add = [&mixed](std::uint64_t word) {
#if defined(__SSE4_2__)
    mixed = _mm_crc32_u64(mixed, word);
#else
    mixed = (mixed ^ word) * 0x9E3779B97F4A7C15U;
    mixed ^= mixed >> 32;
#endif
  };
  if (piece.size() < 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, piece.data(), piece.size());
    add(word);
  } else {  // the last word overlaps the one before
    for (std::size_t i = 0; i + 8 < piece.size(); i += 8) add(load_word(piece.data() + i));
    add(load_word(piece.data() + piece.size() - 8));
  }
  return static_cast<std::uint32_t>(mixed);
}

std::span<const std::uint32_t> PieceCache::find_long(std::string_view piece,
                                                     std::uint32_t hash) const {
  const LongEntry& entry = long_[hash & kLongMask];
  if (entry.size != piece.size() || std::memcmp(entry.bytes, piece.data(), piece.size()) != 0) {
    return {};
  }
  return {entry.ids, entry.count};
}

void PieceCache::insert_long(std::string_view piece, std::uint32_t hash,
                             std::span<const std::uint32_t> ids) {
  HEADRACE_DCHECK(piece.size() <= kMostLong && !ids.empty() && ids.size() <= kMostLongIds);
  LongEntry& entry = long_[hash & kLongMask];
  std::ranges::copy(piece, entry.bytes);
  entry.size = static_cast<std::uint32_t>(piece.size());
  entry.count = static_cast<std::uint32_t>(ids.size());
  std::ranges::copy(ids, entry.ids);
}

}  // namespace headrace::tokenize
