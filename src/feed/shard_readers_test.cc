// SPDX-License-Identifier: Apache-2.0
#include "feed/shard_readers.h"

#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "shard/test_set.h"

namespace headrace::feed {
namespace {

TEST(ShardReadersTest, KeepsAsManyAsAllowedAndTheLastUsed) {
  const std::string folder = shard::fresh_folder("readers_limit");
  const Manifest manifest = shard::write_test_set(folder, {.shard_samples = {1, 1, 1, 1}});
  ShardReaders readers(folder, manifest.shards, *shard::registry().find("megatron"), {.shards = 2});
  const auto first = readers.get(0);
  ASSERT_TRUE(first);
  ASSERT_TRUE(readers.get(1));
  EXPECT_EQ(*readers.get(0), *first);  // used again: 1 is now the oldest
  ASSERT_TRUE(readers.get(2));
  EXPECT_EQ(readers.open_shards(), 2U);
  EXPECT_EQ(*readers.get(0), *first);
  ASSERT_TRUE(readers.get(1));
  ASSERT_TRUE(readers.get(3));
  EXPECT_NE(*readers.get(0), *first);  // was closed, is opened anew
  shard::SampleBuffer sample;
  EXPECT_TRUE((*first)->read(0, &sample));  // still good for who holds it
}

TEST(ShardReadersTest, IndexBytesAreBounded) {
  const std::string folder = shard::fresh_folder("readers_bytes");
  const Manifest manifest = shard::write_test_set(folder, {.shard_samples = {100, 100, 100}});
  ShardReaders readers(folder, manifest.shards, *shard::registry().find("megatron"),
                       {.index_bytes = 1});
  for (std::uint32_t shard = 0; shard < 3; ++shard) {
    ASSERT_TRUE(readers.get(shard));
    EXPECT_EQ(readers.open_shards(), 1U);
  }
}

TEST(ShardReadersTest, ManyThreadsMayAskAtOnce) {
  const std::string folder = shard::fresh_folder("readers_threads");
  const Manifest manifest = shard::write_test_set(folder, {.shard_samples = {3, 4, 5, 6}});
  ShardReaders readers(folder, manifest.shards, *shard::registry().find("megatron"), {.shards = 2});
  std::vector<std::jthread> threads;
  for (std::uint32_t t = 0; t < 4; ++t) {
    threads.emplace_back([&readers, t] {
      for (std::uint32_t i = 0; i < 200; ++i) {
        const std::uint32_t shard = (i * 7 + t) % 4;
        const auto reader = readers.get(shard);
        ASSERT_TRUE(reader);
        ASSERT_EQ((*reader)->samples(), 3U + shard);
      }
    });
  }
}

TEST(ShardReadersTest, AMissingShardIsAnErrorEachTime) {
  const std::string folder = shard::fresh_folder("readers_missing");
  const Manifest manifest = shard::write_test_set(folder, {.shard_samples = {1}});
  std::filesystem::remove(folder + "/shard-00000.bin");
  ShardReaders readers(folder, manifest.shards, *shard::registry().find("megatron"));
  EXPECT_EQ(readers.get(0).error().code(), Code::kNotFound);
  EXPECT_EQ(readers.get(0).error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace headrace::feed
