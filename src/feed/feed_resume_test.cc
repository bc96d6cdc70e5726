// SPDX-License-Identifier: Apache-2.0
// Worlds, resizes and resumes: whatever happens on the way, the samples read are the sequence.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "headrace/feed.h"

#include "base/counter_rng.h"
#include "shard/test_set.h"

namespace headrace {
namespace {

using Ids = std::vector<std::uint64_t>;

constexpr std::uint64_t kSamples = 58;
constexpr std::uint64_t kEpochs = 3;

// One set for all tests of this file.
const std::string& set_folder() {
  static const std::string folder = [] {
    std::string made = shard::fresh_folder("feed_resume");
    shard::write_test_set(made, {.shard_samples = {17, 3, 0, 21, 8, 9}, .sequence_length = 4});
    return made;
  }();
  return folder;
}

FeedOptions options_of(std::uint32_t batch, std::uint32_t rank, std::uint32_t world) {
  return {.set = set_folder(),
          .seed = 11,
          .lanes = 8,
          .window = 8,
          .batch = batch,
          .rank = rank,
          .world = world,
          .epochs = kEpochs};
}

Feed open_feed(const FeedOptions& options) {
  Result<Feed> feed = Feed::open(options);
  EXPECT_TRUE(feed) << feed.error().message();
  return std::move(feed).value();
}

// The next batch of all ranks together; false at the end. Checks that they stay in step.
bool step(std::vector<Feed>& ranks, Ids* ids, std::uint64_t* consumed) {
  ids->clear();
  std::size_t ended = 0;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const auto batch = ranks[rank].next();
    EXPECT_TRUE(batch) << batch.error().message();
    if (!*batch) {
      ++ended;
      continue;
    }
    if (rank > 0) {
      EXPECT_EQ((*batch)->consumed, *consumed);
    }
    *consumed = (*batch)->consumed;
    ids->insert(ids->end(), (*batch)->sample_ids.begin(), (*batch)->sample_ids.end());
  }
  EXPECT_TRUE(ended == 0 || ended == ranks.size());
  return ended == 0;
}

std::vector<Feed> open_world(std::uint32_t batch, std::uint32_t world, const FeedState* state) {
  std::vector<Feed> ranks;
  for (std::uint32_t rank = 0; rank < world; ++rank) {
    ranks.push_back(open_feed(options_of(batch, rank, world)));
    if (state != nullptr) {
      const auto loaded = ranks.back().load_state(*state);
      EXPECT_TRUE(loaded) << loaded.error().message();
    }
  }
  return ranks;
}

// The sequence itself, sample by sample.
const Ids& sequence() {
  static const Ids ids = [] {
    Ids all;
    std::vector<Feed> one = open_world(1, 1, nullptr);
    std::uint64_t consumed = 0;
    for (Ids batch; step(one, &batch, &consumed);) {
      all.insert(all.end(), batch.begin(), batch.end());
    }
    return all;
  }();
  return ids;
}

void expect_slice(Ids ids, std::uint64_t begin, std::uint64_t end) {
  Ids expected(sequence().begin() + static_cast<std::ptrdiff_t>(begin),
               sequence().begin() + static_cast<std::ptrdiff_t>(end));
  std::sort(expected.begin(), expected.end());
  std::sort(ids.begin(), ids.end());
  ASSERT_EQ(ids, expected) << begin << " to " << end;
}

TEST(FeedResumeTest, EveryEpochHasEachSampleOnceInAnotherOrder) {
  ASSERT_EQ(sequence().size(), kSamples * kEpochs);
  std::map<Ids, int> orders;
  for (std::uint64_t epoch = 0; epoch < kEpochs; ++epoch) {
    Ids ids(sequence().begin() + static_cast<std::ptrdiff_t>(epoch * kSamples),
            sequence().begin() + static_cast<std::ptrdiff_t>((epoch + 1) * kSamples));
    ++orders[ids];
    std::sort(ids.begin(), ids.end());
    for (std::uint64_t i = 0; i < kSamples; ++i) ASSERT_EQ(ids[i], i);
  }
  EXPECT_EQ(orders.size(), kEpochs);
}

TEST(FeedResumeTest, WorldsReadTheSequenceTogether) {
  for (const std::uint32_t world : {1U, 2U, 3U, 4U, 8U}) {
    for (const std::uint32_t batch : {1U, 2U, 5U}) {
      std::vector<Feed> ranks = open_world(batch, world, nullptr);
      std::uint64_t begin = 0;
      std::uint64_t consumed = 0;
      for (Ids ids; step(ranks, &ids, &consumed); begin = consumed) {
        expect_slice(ids, begin, consumed);
      }
      EXPECT_EQ(begin, kSamples * kEpochs);
    }
  }
}

TEST(FeedResumeTest, RandomChainsOfResizesReadTheSequence) {
  const CounterRng rng(3, purpose("chain"));
  std::uint64_t draw = 0;
  for (int chain = 0; chain < 20; ++chain) {
    FeedState state;
    bool first = true;
    std::uint64_t begin = 0;
    while (begin < kSamples * kEpochs) {
      const auto world = static_cast<std::uint32_t>(1 + rng.below(draw++, 8));
      const auto batch = static_cast<std::uint32_t>(1 + rng.below(draw++, 6));
      std::vector<Feed> ranks = open_world(batch, world, first ? nullptr : &state);
      std::uint64_t consumed = begin;
      Ids ids;
      for (std::uint64_t steps = 1 + rng.below(draw++, 4); steps > 0; --steps) {
        if (!step(ranks, &ids, &consumed)) break;
        expect_slice(ids, begin, consumed);
        begin = consumed;
      }
      state = ranks.back().state();
      ASSERT_EQ(state.consumed, begin);
      first = false;
    }
  }
}

// At every point: what was read ahead does not count.
TEST(FeedResumeTest, AStateAtAnyPointContinuesExactly) {
  for (std::uint64_t steps = 0; steps <= 15; ++steps) {  // 174 samples in batches of 12
    std::vector<Feed> before = open_world(3, 4, nullptr);
    std::uint64_t consumed = 0;
    Ids ids;
    for (std::uint64_t i = 0; i < steps; ++i) step(before, &ids, &consumed);
    const FeedState state = before[0].state();
    for (const Feed& rank : before) {
      EXPECT_EQ(rank.state().consumed, state.consumed);
      EXPECT_EQ(rank.state().fingerprint, state.fingerprint);
    }
    before.clear();

    for (const auto& [batch, world] :
         std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 4}, {6, 2}, {12, 1}, {5, 3}}) {
      std::vector<Feed> after = open_world(batch, world, &state);
      std::uint64_t begin = state.consumed;
      for (consumed = begin; step(after, &ids, &consumed); begin = consumed) {
        expect_slice(ids, begin, consumed);
      }
      EXPECT_EQ(begin, kSamples * kEpochs);
    }
  }
}

TEST(FeedResumeTest, AFeedMayGoBackInMidFlight) {
  Feed feed = open_feed(options_of(7, 0, 1));
  const FeedState start = feed.state();
  const auto first = feed.next();
  ASSERT_TRUE(first);
  ASSERT_TRUE(feed.next());
  ASSERT_TRUE(feed.load_state(start));
  const auto again = feed.next();
  ASSERT_TRUE(again);
  EXPECT_EQ((*again)->sample_ids, (*first)->sample_ids);
  EXPECT_EQ((*again)->tokens, (*first)->tokens);
}

TEST(FeedResumeTest, ForeignStatesAreRefusedByName) {
  Feed feed = open_feed(options_of(7, 0, 1));
  ASSERT_TRUE(feed.next());
  const FeedState good = feed.state();
  const auto refused = [&](const FeedState& state, Code code, const std::string& part) {
    const Result<void> loaded = feed.load_state(state);
    ASSERT_FALSE(loaded) << part;
    EXPECT_EQ(loaded.error().code(), code);
    EXPECT_NE(loaded.error().message().find(part), std::string::npos) << loaded.error().message();
    EXPECT_EQ(feed.state().consumed, 7U);  // refused means unchanged
  };
  FeedOptions other = options_of(7, 0, 1);
  other.seed = 12;
  refused(open_feed(other).state(), Code::kInvalidArgument,
          "seed is 11, the state was made with 12");
  other = options_of(7, 0, 1);
  other.window = 9;
  refused(open_feed(other).state(), Code::kInvalidArgument,
          "window is 8, the state was made with 9");
  other = options_of(7, 0, 1);
  other.shuffle = false;
  refused(open_feed(other).state(), Code::kInvalidArgument,
          "shuffle is true, the state was made with false");

  const std::string folder = shard::fresh_folder("feed_resume_other");
  shard::write_test_set(folder, {.shard_samples = {17, 3, 0, 21, 9, 8}, .sequence_length = 4});
  other = options_of(7, 0, 1);
  other.set = folder;
  refused(open_feed(other).state(), Code::kInvalidArgument, "set (checksums of its shards) is");

  FeedState state = good;
  state.version = 2;
  refused(state, Code::kUnsupported, "version 2");
  state.version = 0;
  refused(state, Code::kInvalidArgument, "version 0");
  state = good;
  state.consumed = kSamples * kEpochs + 1;
  refused(state, Code::kInvalidArgument, "consumed 175 samples, all epochs together have 174");
  EXPECT_TRUE(feed.load_state(good));
}

// The files may move; what they hold decides.
TEST(FeedResumeTest, AMovedSetIsTheSameSet) {
  const FeedState state = open_feed(options_of(7, 0, 1)).state();
  const std::string folder = shard::fresh_folder("feed_resume_moved");
  shard::write_test_set(folder, {.shard_samples = {17, 3, 0, 21, 8, 9}, .sequence_length = 4});
  FeedOptions options = options_of(2, 1, 3);
  options.set = folder;
  Feed feed = open_feed(options);
  EXPECT_TRUE(feed.load_state(state));
}

}  // namespace
}  // namespace headrace
