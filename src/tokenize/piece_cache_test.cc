// SPDX-License-Identifier: Apache-2.0
#include "tokenize/piece_cache.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace headrace::tokenize {
namespace {

using Ids = std::vector<std::uint32_t>;

Ids found(const PieceCache& cache, const PieceCache::Key& key) {
  const auto ids = cache.find(key, PieceCache::hash(key));
  return {ids.begin(), ids.end()};
}

TEST(PieceCacheTest, KeysAreTheBytesAndTheLength) {
  const std::string text = "abcdefgh01234567 and more text behind it";
  for (std::size_t size = 1; size <= PieceCache::kMostShort; ++size) {
    const std::string alone = text.substr(0, size);
    const auto key = PieceCache::key(std::string_view(text).substr(0, size), text.size(), false);
    EXPECT_EQ(key, PieceCache::key(alone, alone.size(), false)) << size;
    EXPECT_NE(key, PieceCache::key(alone, alone.size(), true)) << size;
    EXPECT_NE(key, PieceCache::Key{}) << size;
  }
  EXPECT_NE(PieceCache::key(std::string(1, '\0'), 1, false),
            PieceCache::key(std::string(2, '\0'), 2, false));
}

TEST(PieceCacheTest, TwoEntriesOfOneBucketTheOlderGoes) {
  PieceCache cache;
  const auto a = PieceCache::key("a", 1, false);
  const auto b = PieceCache::key("b", 1, false);
  const auto c = PieceCache::key("c", 1, false);
  constexpr std::uint64_t kBucket = 5;
  cache.insert(a, kBucket, Ids{1});
  cache.insert(b, kBucket, Ids{2, 3, 4, 5});
  EXPECT_TRUE(std::ranges::equal(cache.find(a, kBucket), Ids{1}));
  EXPECT_TRUE(std::ranges::equal(cache.find(b, kBucket), Ids{2, 3, 4, 5}));
  cache.insert(c, kBucket, Ids{6, 7});
  EXPECT_TRUE(cache.find(a, kBucket).empty());
  EXPECT_TRUE(std::ranges::equal(cache.find(b, kBucket), Ids{2, 3, 4, 5}));
  EXPECT_TRUE(std::ranges::equal(cache.find(c, kBucket), Ids{6, 7}));
}

TEST(PieceCacheTest, EmptyFindsNothing) {
  const PieceCache cache;
  EXPECT_TRUE(found(cache, PieceCache::key("a", 1, false)).empty());
  EXPECT_TRUE(found(cache, PieceCache::key(std::string(15, '\0'), 15, false)).empty());
  EXPECT_TRUE(cache.find_long(std::string(16, '\0'), 0).empty());
}

TEST(PieceCacheTest, LongPiecesReplaceEachOther) {
  PieceCache cache;
  const std::string one(40, 'x');
  const std::string two(64, 'y');
  cache.insert_long(one, 9, Ids{1, 2, 3});
  EXPECT_TRUE(std::ranges::equal(cache.find_long(one, 9), Ids{1, 2, 3}));
  EXPECT_TRUE(cache.find_long(one.substr(1), 9).empty());
  cache.insert_long(two, 9, Ids{4});
  EXPECT_TRUE(cache.find_long(one, 9).empty());
  EXPECT_TRUE(std::ranges::equal(cache.find_long(two, 9), Ids{4}));
}

}  // namespace
}  // namespace headrace::tokenize
