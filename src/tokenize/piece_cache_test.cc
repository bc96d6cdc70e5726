// SPDX-License-Identifier: Apache-2.0
#include "tokenize/piece_cache.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace headrace::tokenize {
namespace {

using Ids = std::vector<std::uint32_t>;

// Empty: not there.
Ids found(const PieceCache& cache, const PieceCache::Key& key, std::uint32_t hash) {
  PieceCache::Value value;
  if (!cache.find(key, hash, &value)) return {};
  const std::uint32_t count = value.count();
  value.ids[0] &= PieceCache::Value::kIdMask;
  return {value.ids, value.ids + count};
}

TEST(PieceCacheTest, KeysAreTheBytesAndTheLength) {
  const std::string text = "abcdefgh01234567 and more text behind it";
  for (std::size_t size = 1; size <= PieceCache::kMostShort; ++size) {
    const auto key = PieceCache::key_at(text.data(), size);
    EXPECT_EQ(key, PieceCache::key(text.substr(0, size))) << size;
    EXPECT_NE(key, PieceCache::Key{}) << size;
    EXPECT_NE(key, PieceCache::kNoKey) << size;
  }
  EXPECT_NE(PieceCache::key(std::string(1, '\0')), PieceCache::key(std::string(2, '\0')));
}

TEST(PieceCacheTest, TwoEntriesOfOneBucketTheOlderGoes) {
  PieceCache cache;
  const auto a = PieceCache::key("a");
  const auto b = PieceCache::key("b");
  const auto c = PieceCache::key("c");
  constexpr std::uint32_t kBucket = 5;
  cache.insert(a, kBucket, Ids{1});
  cache.insert(b, kBucket, Ids{2, 3, 4, 5});
  EXPECT_EQ(found(cache, a, kBucket), Ids{1});
  EXPECT_EQ(found(cache, b, kBucket), (Ids{2, 3, 4, 5}));
  cache.insert(c, kBucket, Ids{6, 7});
  EXPECT_EQ(found(cache, a, kBucket), Ids{});
  EXPECT_EQ(found(cache, b, kBucket), (Ids{2, 3, 4, 5}));
  EXPECT_EQ(found(cache, c, kBucket), (Ids{6, 7}));
}

TEST(PieceCacheTest, OfManyIdsOnlyThatTheyAreElsewhere) {
  PieceCache cache;
  const auto key = PieceCache::key("abcde");
  cache.insert(key, 1, Ids{1, 2, 3, 4, 5});
  PieceCache::Value value;
  ASSERT_TRUE(cache.find(key, 1, &value));
  EXPECT_EQ(value.count(), PieceCache::Value::kElsewhere);
}

TEST(PieceCacheTest, EmptyFindsNothing) {
  const PieceCache cache;
  PieceCache::Value value;
  for (const auto& key :
       {PieceCache::key("a"), PieceCache::key(std::string(15, '\0')), PieceCache::kNoKey}) {
    EXPECT_FALSE(cache.find(key, PieceCache::hash(key), &value));
  }
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
