// SPDX-License-Identifier: Apache-2.0
#include "shuffle/order.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace headrace::shuffle {
namespace {

using Pair = std::pair<std::uint32_t, std::uint64_t>;

const std::vector<std::uint64_t> kSizes = {5, 0, 17, 3, 40, 8, 8, 1, 0, 29, 13};  // 124 samples

std::vector<Pair> epoch_of(const Order& order, std::uint64_t epoch) {
  const EpochOrder layout = order.epoch(epoch);
  std::vector<Pair> places;
  for (std::uint64_t p = 0; p < order.samples(); ++p) {
    const Place place = layout.at(p);
    places.emplace_back(place.shard, place.sample);
  }
  return places;
}

std::vector<Pair> everything(const std::vector<std::uint64_t>& sizes) {
  std::vector<Pair> all;
  for (std::uint32_t shard = 0; shard < sizes.size(); ++shard)
    for (std::uint64_t i = 0; i < sizes[shard]; ++i) all.emplace_back(shard, i);
  return all;
}

TEST(OrderTest, EveryEpochHasEachSampleOnce) {
  for (const std::uint32_t lanes : {1U, 2U, 4U, 6U, 16U, 64U, 124U, 125U, 1000U}) {
    for (const std::uint32_t window : {1U, 8U, 4096U}) {
      const Order order(kSizes, {.seed = 3, .lanes = lanes, .window = window});
      ASSERT_EQ(order.samples(), 124U);
      for (const std::uint64_t epoch : {0, 1, 2, 1'000'000}) {
        std::vector<Pair> places = epoch_of(order, epoch);
        std::sort(places.begin(), places.end());
        ASSERT_EQ(places, everything(kSizes)) << lanes << " lanes, window " << window;
      }
    }
  }
}

TEST(OrderTest, EpochsAndSeedsDiffer) {
  for (const std::uint32_t lanes : {1U, 4U, 64U}) {
    const Order order(kSizes, {.seed = 3, .lanes = lanes, .window = 8});
    const Order other(kSizes, {.seed = 4, .lanes = lanes, .window = 8});
    std::set<std::vector<Pair>> orders;
    for (std::uint64_t epoch = 0; epoch < 5; ++epoch) {
      orders.insert(epoch_of(order, epoch));
      orders.insert(epoch_of(other, epoch));
    }
    EXPECT_EQ(orders.size(), 10U);
  }
}

TEST(OrderTest, WithoutShuffleFollowsTheManifest) {
  const Order order(kSizes, {.seed = 3, .shuffle = false, .lanes = 8});
  EXPECT_EQ(epoch_of(order, 0), everything(kSizes));
  EXPECT_EQ(epoch_of(order, 7), everything(kSizes));
}

// The lane of a position stays inside its slice of the laid-out shards, and its window inside it.
TEST(OrderTest, LanesReadTheirOwnSliceWindowByWindow) {
  const std::uint64_t samples = 1003;
  const std::uint32_t lanes = 8;
  const std::uint32_t window = 16;
  const Order order({samples}, {.seed = 9, .lanes = lanes, .window = window});
  const EpochOrder epoch = order.epoch(2);
  const std::uint64_t rounds = samples / lanes;
  for (std::uint64_t p = 0; p < rounds * lanes; ++p) {
    const std::uint64_t lane = p % lanes;
    const std::uint64_t start = lane * samples / lanes;
    const std::uint64_t first = p / lanes / window * window;
    const std::uint64_t sample = epoch.at(p).sample;
    ASSERT_GE(sample, start + first);
    ASSERT_LT(sample, std::min(start + first + window, (lane + 1) * samples / lanes));
  }
}

TEST(OrderTest, ShardsAreSpreadEvenlyOverPlaces) {  // each shard is first in about one epoch in ten
  const Order order(std::vector<std::uint64_t>(10, 1), {.seed = 1, .lanes = 1, .window = 1});
  std::vector<int> first(10);
  for (std::uint64_t epoch = 0; epoch < 10'000; ++epoch) ++first[order.epoch(epoch).at(0).shard];
  for (const int count : first) EXPECT_NEAR(count, 1000, 150);  // five standard deviations
}

TEST(OrderTest, ConsumedSamplesMapToEpochAndPosition) {
  const Order order(kSizes, {.seed = 3});
  EXPECT_EQ(order.epoch_of(123), 0U);
  EXPECT_EQ(order.epoch_of(124), 1U);
  EXPECT_EQ(order.position_of(124 * 5 + 7), 7U);
}

TEST(OrderTest, HugeSetsDoNotOverflow) {
  const std::uint64_t shard = 1'000'000'000;
  const Order order(std::vector<std::uint64_t>(100'000, shard),
                    {.seed = 3, .lanes = 65'536, .window = 4096});
  const EpochOrder epoch = order.epoch(12);
  std::set<Pair> seen;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    for (const std::uint64_t p : {i, order.samples() - 1 - i, order.samples() / 2 + i}) {
      const Place place = epoch.at(p);
      ASSERT_LT(place.shard, 100'000U);
      ASSERT_LT(place.sample, shard);
      ASSERT_TRUE(seen.emplace(place.shard, place.sample).second);
    }
  }
}

TEST(OrderTest,
     ValuesNeverChange) {  // resume states depend on them; checked against another implementation
  const Order order(kSizes, {.seed = 3, .lanes = 8, .window = 8});
  std::vector<Pair> head = epoch_of(order, 1);
  head.resize(10);
  EXPECT_EQ(
      head,
      (std::vector<Pair>{
          {0, 3}, {2, 14}, {10, 6}, {6, 4}, {9, 12}, {9, 27}, {4, 16}, {4, 26}, {0, 2}, {2, 13}}));
  std::vector<Pair> tail = epoch_of(order, 1);
  tail.erase(tail.begin(), tail.end() - 5);
  EXPECT_EQ(tail, (std::vector<Pair>{{4, 32}, {5, 6}, {9, 2}, {4, 3}, {4, 34}}));
}

}  // namespace
}  // namespace headrace::shuffle
