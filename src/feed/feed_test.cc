// SPDX-License-Identifier: Apache-2.0
#include "headrace/feed.h"

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "shard/test_set.h"

namespace headrace {
namespace {

using shard::slurp;
using shard::spill;
using shard::test_token;
using Ids = std::vector<std::uint64_t>;

Feed open_feed(const FeedOptions& options) {
  Result<Feed> feed = Feed::open(options);
  EXPECT_TRUE(feed) << feed.error().message();
  return std::move(feed).value();
}

// All batches to the end.
std::vector<Batch> drain(Feed& feed) {
  std::vector<Batch> batches;
  while (true) {
    Result<std::optional<Batch>> batch = feed.next();
    EXPECT_TRUE(batch) << batch.error().message();
    if (!batch || !*batch) return batches;
    batches.push_back(**std::move(batch));
  }
}

Ids ids_of(const std::vector<Batch>& batches) {
  Ids ids;
  for (const Batch& batch : batches) {
    ids.insert(ids.end(), batch.sample_ids.begin(), batch.sample_ids.end());
  }
  return ids;
}

TEST(FeedTest, ArraysAreWhatTheHeaderSays) {
  for (const std::string token_type : {"uint16", "int32"}) {
    const std::string folder = shard::fresh_folder("feed_arrays");
    shard::write_test_set(folder, {.token_type = token_type});
    Feed feed =
        open_feed({.set = folder, .seed = 5, .lanes = 4, .window = 4, .batch = 4, .epochs = 2});
    EXPECT_EQ(feed.samples(), 15U);
    EXPECT_EQ(feed.length(), 16U);
    const std::vector<Batch> batches = drain(feed);
    ASSERT_EQ(batches.size(), 8U);
    for (const Batch& batch : batches) {
      ASSERT_EQ(batch.length, 16U);
      ASSERT_EQ(batch.sample_ids.size(), batch.rows);
      ASSERT_EQ(batch.tokens.size(), batch.rows * 16U);
      ASSERT_EQ(batch.labels.size(), batch.rows * 16U);
      ASSERT_EQ(batch.segment_ids.size(), batch.rows * 16U);
      for (std::uint32_t row = 0; row < batch.rows; ++row) {
        const std::uint64_t id = batch.sample_ids[row];
        const std::vector<std::uint32_t> starts = shard::test_starts(id, 16);
        std::int32_t segment = -1;
        for (std::uint32_t k = 0; k < 16; ++k) {
          const auto token = static_cast<std::int32_t>(test_token(id, k));
          ASSERT_EQ(batch.tokens[row * 16 + k], token);
          const std::int32_t next =
              k + 1 < 16 ? static_cast<std::int32_t>(test_token(id, k + 1)) : -100;
          ASSERT_EQ(batch.labels[row * 16 + k], next);
          if (std::find(starts.begin(), starts.end(), k) != starts.end()) ++segment;
          ASSERT_EQ(batch.segment_ids[row * 16 + k], segment);
        }
      }
    }
    EXPECT_EQ(batches[6].rows, 4U);
    EXPECT_EQ(batches[7].rows, 2U);  // 30 samples in all
    EXPECT_EQ(batches[7].consumed, 30U);
  }
}

// Samples of 16 tokens in rows of 20: what is lacking is no target and of no document.
TEST(FeedTest, ShorterSamplesArePadded) {
  const std::string folder = shard::fresh_folder("feed_padded");
  Manifest manifest = shard::write_test_set(folder, {.shard_samples = {3}});
  manifest.sequence_length = 20;
  manifest.packing = "best_fit";
  manifest.end_token_id = 9;
  shard::spill(folder + "/manifest.json", format_manifest(manifest));
  Feed feed = open_feed({.set = folder, .batch = 3, .epochs = 1});
  EXPECT_EQ(feed.length(), 20U);
  const std::vector<Batch> batches = drain(feed);
  ASSERT_EQ(batches.size(), 1U);
  ASSERT_EQ(batches[0].tokens.size(), 60U);
  ASSERT_EQ(batches[0].segment_ids.size(), 60U);
  for (std::uint32_t row = 0; row < 3; ++row) {
    for (std::uint32_t k = 0; k < 20; ++k) {
      const std::size_t at = row * 20 + k;
      const bool is_padding = k >= 16;
      EXPECT_EQ(
          batches[0].tokens[at],
          is_padding ? 9 : static_cast<std::int32_t>(test_token(batches[0].sample_ids[row], k)));
      EXPECT_EQ(batches[0].segment_ids[at] == -1, is_padding);
      if (k >= 15) {
        EXPECT_EQ(batches[0].labels[at], -100);
      }
    }
  }
  // Without the word of the manifest such a sample is damage.
  manifest.packing = "concat";
  shard::spill(folder + "/manifest.json", format_manifest(manifest));
  Feed strict = open_feed({.set = folder, .batch = 3, .epochs = 1});
  EXPECT_EQ(strict.next().error().code(), Code::kCorrupt);
}

TEST(FeedTest, SampleLengthsOfOneAndTwoAndMore) {
  for (const std::uint32_t length : {1U, 2U, 5000U}) {
    const std::string folder = shard::fresh_folder("feed_short");
    shard::write_test_set(folder, {.shard_samples = {3}, .sequence_length = length});
    Feed feed = open_feed({.set = folder, .batch = 3, .epochs = 1});
    const std::vector<Batch> batches = drain(feed);
    ASSERT_EQ(batches.size(), 1U);
    for (std::uint32_t row = 0; row < 3; ++row) {
      EXPECT_EQ(batches[0].labels[(row + 1) * length - 1], -100);
      EXPECT_EQ(batches[0].tokens[row * length],
                static_cast<std::int32_t>(test_token(batches[0].sample_ids[row], 0)));
    }
  }
}

TEST(FeedTest, WithoutShuffleTheManifestOrderEveryEpoch) {
  const std::string folder = shard::fresh_folder("feed_straight");
  shard::write_test_set(folder);
  Feed feed =
      open_feed({.set = folder + "/manifest.json", .shuffle = false, .batch = 4, .epochs = 2});
  Ids expected;
  for (std::uint64_t i = 0; i < 30; ++i) expected.push_back(i % 15);
  EXPECT_EQ(ids_of(drain(feed)), expected);
}

TEST(FeedTest, ThreadsAndPrefetchChangeNothing) {
  const std::string folder = shard::fresh_folder("feed_threads");
  shard::write_test_set(folder, {.shard_samples = {50, 0, 31, 7}});
  FeedOptions options{.set = folder,
                      .seed = 9,
                      .lanes = 8,
                      .window = 16,
                      .batch = 5,
                      .epochs = 3,
                      .prefetch_bytes = 0,
                      .threads = 1};
  Feed reference = open_feed(options);
  const std::vector<Batch> expected = drain(reference);
  for (const std::size_t threads : {1U, 2U, 3U, 4U, 0U}) {
    for (const std::uint64_t prefetch : {0U, 3000U, 1U << 20}) {
      options.threads = threads;
      options.prefetch_bytes = prefetch;
      Feed feed = open_feed(options);
      const std::vector<Batch> batches = drain(feed);
      ASSERT_EQ(batches.size(), expected.size());
      for (std::size_t i = 0; i < batches.size(); ++i) {
        ASSERT_EQ(batches[i].tokens, expected[i].tokens);
        ASSERT_EQ(batches[i].sample_ids, expected[i].sample_ids);
        ASSERT_EQ(batches[i].consumed, expected[i].consumed);
      }
    }
  }
}

TEST(FeedTest, AfterTheEndNothingComesAgainAndAgain) {
  const std::string folder = shard::fresh_folder("feed_end");
  shard::write_test_set(folder, {.shard_samples = {2}});
  Feed feed = open_feed({.set = folder, .batch = 2, .epochs = 1});
  EXPECT_EQ(drain(feed).size(), 1U);
  for (int i = 0; i < 3; ++i) {
    const auto batch = feed.next();
    ASSERT_TRUE(batch);
    EXPECT_FALSE(batch->has_value());
  }
}

TEST(FeedTest, WithoutEpochsItGoesOn) {
  const std::string folder = shard::fresh_folder("feed_for_ever");
  shard::write_test_set(folder, {.shard_samples = {3}});
  Feed feed = open_feed({.set = folder, .batch = 2});
  for (std::uint64_t i = 1; i <= 100; ++i) {
    const auto batch = feed.next();
    ASSERT_TRUE(batch);
    ASSERT_TRUE(batch->has_value());
    ASSERT_EQ((*batch)->rows, 2U);
    ASSERT_EQ((*batch)->consumed, 2 * i);
  }
}

// Ranks make the same number of steps, also where the last batch has nothing for some of them.
TEST(FeedTest, EveryRankMakesTheSameNumberOfSteps) {
  const std::string folder = shard::fresh_folder("feed_steps");
  shard::write_test_set(folder, {.shard_samples = {9}});
  std::uint64_t rows = 0;
  for (std::uint32_t rank = 0; rank < 4; ++rank) {
    Feed feed = open_feed({.set = folder, .batch = 2, .rank = rank, .world = 4, .epochs = 1});
    const std::vector<Batch> batches = drain(feed);
    ASSERT_EQ(batches.size(), 2U);
    EXPECT_EQ(batches[0].rows, 2U);
    EXPECT_LE(batches[1].rows, 1U);
    EXPECT_EQ(batches[1].consumed, 9U);
    rows += batches[1].rows;
  }
  EXPECT_EQ(rows, 1U);
}

TEST(FeedTest, ADamagedSampleIsNamedInItsPlaceAndRetried) {
  const std::string folder = shard::fresh_folder("feed_damaged");
  shard::write_test_set(folder);
  const std::string path = folder + "/shard-00001.bin";
  const std::string good = slurp(path);
  std::string bad = good;
  bad[1 * 32 + 3] ^= 1;  // sample 1 of shard 1: the set's sample 6
  spill(path, bad);
  Feed feed = open_feed({.set = folder, .shuffle = false, .batch = 4, .epochs = 1, .threads = 3});
  const auto first = feed.next();
  ASSERT_TRUE(first);
  EXPECT_EQ((*first)->sample_ids, (Ids{0, 1, 2, 3}));
  for (int attempt = 0; attempt < 2; ++attempt) {
    const auto damaged = feed.next();
    ASSERT_FALSE(damaged);
    EXPECT_EQ(damaged.error().code(), Code::kCorrupt);
    EXPECT_EQ(damaged.error().message().rfind("rank 0, batch after 4 consumed samples: sample 6 of "
                                              "the set: " +
                                                  path + ": sample 1 at offset 32",
                                              0),
              0U)
        << damaged.error().message();
    EXPECT_EQ(feed.state().consumed, 4U);
  }
  spill(path, good);
  EXPECT_EQ(ids_of(drain(feed)), (Ids{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
}

TEST(FeedTest, ClosingInMidFlightIsQuickAndClean) {
  const std::string folder = shard::fresh_folder("feed_closing");
  shard::write_test_set(folder, {.shard_samples = {200, 100}});
  for (int round = 0; round < 30; ++round) {
    Feed feed = open_feed({.set = folder, .batch = 3, .threads = 4});
    for (int i = 0; i < round % 5; ++i) ASSERT_TRUE(feed.next());
    Feed moved = std::move(feed);
    ASSERT_TRUE(moved.next());
    if (round % 3 == 0) moved = open_feed({.set = folder});
  }
}

TEST(FeedTest, WhatCannotBeIsRefusedAtTheStart) {
  const std::string folder = shard::fresh_folder("feed_refused");
  Manifest manifest = shard::write_test_set(folder);
  const auto refused = [&](const FeedOptions& options) {
    const Result<Feed> feed = Feed::open(options);
    EXPECT_FALSE(feed);
    return feed ? std::string() : feed.error().message();
  };
  const auto has = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(refused({.set = folder, .length = 17}), "length is 17, the set has samples of 16 tokens");
  has(refused({.set = folder, .batch = 0}), "batch is 0");
  has(refused({.set = folder, .rank = 2, .world = 2}), "rank is 2 of a world of 2");
  has(refused({.set = folder, .world = 0}), "world is 0");
  has(refused({.set = folder, .lanes = 0}), "lanes is 0");
  has(refused({.set = folder, .window = 0}), "window is 0");
  has(refused({.set = folder, .epochs = 0}), "epochs is 0");
  EXPECT_EQ(Feed::open({.set = folder + "/nowhere"}).error().code(), Code::kNotFound);
  EXPECT_TRUE(Feed::open({.set = folder, .length = 16}));

  const auto rewritten = [&](const Manifest& other) {
    spill(folder + "/manifest.json", format_manifest(other));
    return refused({.set = folder});
  };
  Manifest other = manifest;
  other.sequence_length = 0;
  has(rewritten(other), "samples differ in length (sequence_length is 0)");
  has(rewritten(other), "pack.length");
  other = manifest;
  other.format = "mds";
  has(rewritten(other), "container format 'mds'");
  other = manifest;
  other.shards.clear();
  other.samples = other.tokens = 0;
  has(rewritten(other), "the set is empty");
  spill(folder + "/manifest.json", format_manifest(manifest));

  const std::string path = folder + "/shard-00002.bin";
  const std::string good = slurp(path);
  spill(path, good.substr(1));
  has(refused({.set = folder}), "shard-00002.bin: 223 bytes, the manifest says 224");
  std::filesystem::remove(path);
  EXPECT_EQ(Feed::open({.set = folder}).error().code(), Code::kNotFound);
}

}  // namespace
}  // namespace headrace
