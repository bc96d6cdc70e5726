// SPDX-License-Identifier: Apache-2.0
#include "plan/plan.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::plan {
namespace {

const std::vector<std::uint64_t> kSizes = {5, 0, 17, 3, 40, 8, 8, 1, 0, 29, 13};  // 124 samples

Manifest manifest_of(const std::vector<std::uint64_t>& sizes) {
  Manifest manifest;
  for (const std::uint64_t samples : sizes) {
    manifest.shards.push_back({"s.bin", samples, samples, {}});
    manifest.samples += samples;
  }
  return manifest;
}

std::unique_ptr<Plan> make(const PlanOptions& options,
                           const std::vector<std::uint64_t>& sizes = kSizes) {
  auto plan = Plan::make(manifest_of(sizes), options);
  EXPECT_TRUE(plan) << plan.error().message();
  return std::move(plan).value();
}

// The sequence itself: one sample at a time, one rank.
std::vector<std::uint64_t> straight(const Plan& plan, std::uint64_t count) {
  std::vector<std::uint64_t> ordinals;
  std::vector<Row> rows;
  for (std::uint64_t c = 0; c < count; ++c) {
    plan.rows(c, {.batch = 1, .rank = 0, .world = 1}, &rows);
    EXPECT_EQ(rows.size(), 1U);
    ordinals.push_back(rows.at(0).ordinal);
  }
  return ordinals;
}

// What all ranks of a world read in one step, as a sorted list; `sizes`: rows of each rank.
std::vector<std::uint64_t> step(const Plan& plan, std::uint64_t consumed, std::uint32_t batch,
                                std::uint32_t world, std::vector<std::size_t>* sizes = nullptr) {
  std::vector<std::uint64_t> ordinals;
  std::vector<Row> rows;
  for (std::uint32_t rank = 0; rank < world; ++rank) {
    plan.rows(consumed, {.batch = batch, .rank = rank, .world = world}, &rows);
    for (const Row& row : rows) ordinals.push_back(row.ordinal);
    if (sizes != nullptr) sizes->push_back(rows.size());
  }
  std::sort(ordinals.begin(), ordinals.end());
  return ordinals;
}

std::vector<std::uint64_t> sorted_slice(const std::vector<std::uint64_t>& sequence,
                                        std::uint64_t begin, std::uint64_t end) {
  std::vector<std::uint64_t> slice(sequence.begin() + static_cast<std::ptrdiff_t>(begin),
                                   sequence.begin() + static_cast<std::ptrdiff_t>(end));
  std::sort(slice.begin(), slice.end());
  return slice;
}

TEST(PlanTest, RowsNameTheSameSampleThreeWays) {
  const auto plan = make({.order = {.seed = 3, .lanes = 8, .window = 8}});
  std::vector<std::uint64_t> first;
  std::uint64_t at = 0;
  for (const std::uint64_t samples : kSizes) {
    first.push_back(at);
    at += samples;
  }
  std::vector<Row> rows;
  plan->rows(100, {.batch = 100, .rank = 0, .world = 1}, &rows);
  ASSERT_EQ(rows.size(), 100U);
  for (const Row& row : rows) {
    EXPECT_LT(row.sample, kSizes[row.shard]);
    EXPECT_EQ(row.ordinal, first[row.shard] + row.sample);
  }
}

TEST(PlanTest, OneRankReadsTheSequenceInItsOrder) {
  const auto plan = make({.order = {.seed = 3, .lanes = 8, .window = 8}});
  const std::vector<std::uint64_t> sequence = straight(*plan, 300);
  for (const std::uint32_t batch : {1U, 7U, 64U, 300U}) {
    std::vector<std::uint64_t> read;
    std::vector<Row> rows;
    for (std::uint64_t c = 0; c + batch <= 300; c += batch) {
      plan->rows(c, {.batch = batch, .rank = 0, .world = 1}, &rows);
      for (const Row& row : rows) read.push_back(row.ordinal);
    }
    EXPECT_TRUE(std::equal(read.begin(), read.end(), sequence.begin())) << batch;
  }
}

TEST(PlanTest, WithoutShuffleOneRankReadsManifestOrder) {
  const auto plan = make({.order = {.shuffle = false, .lanes = 8}});
  const std::vector<std::uint64_t> sequence = straight(*plan, 2 * 124);
  for (std::uint64_t c = 0; c < 2 * 124; ++c) EXPECT_EQ(sequence[c], c % 124);
}

// Any chain of worlds and batches, over three epochs and their ends: the same samples, none twice.
TEST(PlanTest, AnyChainOfResizesReadsTheSameSequence) {
  const CounterRng rng(5, purpose("chain"));
  std::uint64_t draw = 0;
  for (int chain = 0; chain < 200; ++chain) {
    const bool shuffled = rng.below(draw++, 4) > 0;
    const auto lanes = static_cast<std::uint32_t>(1 + rng.below(draw++, 70));
    const auto plan =
        make({.order = {.seed = rng.at(draw++), .shuffle = shuffled, .lanes = lanes, .window = 8},
              .epochs = 3});
    ASSERT_EQ(plan->end(), 3 * 124U);
    const std::vector<std::uint64_t> sequence = straight(*plan, plan->end());
    std::uint64_t consumed = 0;
    while (consumed < plan->end()) {
      const auto world = static_cast<std::uint32_t>(1 + rng.below(draw++, 9));
      const auto batch = static_cast<std::uint32_t>(1 + rng.below(draw++, 12));
      const std::uint64_t next = plan->next(consumed, {.batch = batch, .rank = 0, .world = world});
      std::vector<std::size_t> sizes;
      ASSERT_EQ(step(*plan, consumed, batch, world, &sizes),
                sorted_slice(sequence, consumed, next));
      const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
      EXPECT_LE(*most - *least, 1U);
      if (next < plan->end()) {
        EXPECT_EQ(*least, batch);
      }
      consumed = next;
    }
    for (std::uint64_t epoch = 0; epoch < 3; ++epoch) {
      const auto all = sorted_slice(sequence, epoch * 124, (epoch + 1) * 124);
      for (std::uint64_t i = 0; i < 124; ++i) ASSERT_EQ(all[i], i);
    }
  }
}

TEST(PlanTest, TheLastBatchIsDealtAsEvenlyAsItGoes) {
  const auto plan = make({.order = {.seed = 3}, .epochs = 1});  // 124 = 3 * 40 + 4
  const World world{.batch = 5, .rank = 0, .world = 8};
  EXPECT_EQ(plan->next(120, world), 124U);
  EXPECT_EQ(plan->next(124, world), 124U);
  std::vector<std::size_t> sizes;
  step(*plan, 120, 5, 8, &sizes);
  EXPECT_EQ(std::count(sizes.begin(), sizes.end(), 1U), 4);
  EXPECT_EQ(std::count(sizes.begin(), sizes.end(), 0U), 4);
  sizes.clear();
  step(*plan, 124, 5, 8, &sizes);
  EXPECT_EQ(sizes, std::vector<std::size_t>(8, 0));
}

TEST(PlanTest, ARankServesItsOwnLanesOnly) {
  const std::uint64_t samples = 6400;  // in one shard, so that every 100 of them are a lane
  const auto plan = make({.order = {.seed = 3, .lanes = 64, .window = 16}}, {samples});
  std::vector<Row> rows;
  for (const std::uint32_t world : {1U, 2U, 4U, 8U}) {
    std::set<std::uint64_t> all;
    for (std::uint32_t rank = 0; rank < world; ++rank) {
      std::set<std::uint64_t> lanes;
      for (std::uint64_t c = 0; c < 640; c += 8 * world) {
        plan->rows(c, {.batch = 8, .rank = rank, .world = world}, &rows);
        for (const Row& row : rows) lanes.insert(row.sample / 100);
      }
      EXPECT_EQ(lanes.size(), 64 / world);
      all.insert(lanes.begin(), lanes.end());
    }
    EXPECT_EQ(all.size(), 64U);
  }
}

TEST(PlanTest, ASetSmallerThanABatchRunsThroughManyEpochs) {
  const auto plan = make({.order = {.seed = 3, .lanes = 4}}, {2, 1});
  std::map<std::uint64_t, int> seen;
  for (const std::uint64_t ordinal : step(*plan, 0, 30, 2)) ++seen[ordinal];
  EXPECT_EQ(seen, (std::map<std::uint64_t, int>{{0, 20}, {1, 20}, {2, 20}}));
}

TEST(PlanTest, WhatCannotBeIsRefused) {
  const auto refused = [](const PlanOptions& options, const Manifest& manifest) {
    const auto plan = Plan::make(manifest, options);
    EXPECT_FALSE(plan);
    return plan ? "" : plan.error().message();
  };
  const Manifest good = manifest_of({1});
  EXPECT_EQ(refused({.order = {.lanes = 0}}, good), "lanes is 0: at least 1");
  EXPECT_EQ(refused({.order = {.window = 0}}, good), "window is 0: at least 1 position");
  EXPECT_EQ(refused({.epochs = 0}, good), "epochs is 0: at least 1, or nothing for no end");
  EXPECT_EQ(refused({}, manifest_of({})), "the set is empty: no shard has a sample");
  EXPECT_EQ(refused({}, manifest_of({0, 0})), "the set is empty: no shard has a sample");
  EXPECT_NE(refused({}, manifest_of({~0ULL, ~0ULL})), "");

  EXPECT_TRUE(validate({.batch = 1, .rank = 7, .world = 8}));
  EXPECT_EQ(validate({.batch = 1, .rank = 8, .world = 8}).error().message(),
            "rank is 8 of a world of 8: ranks count from 0 to 7");
  EXPECT_FALSE(validate({.batch = 0, .rank = 0, .world = 1}));
  EXPECT_FALSE(validate({.batch = 1, .rank = 0, .world = 0}));
}

TEST(PlanTest, MoreEpochsThanTheCounterHoldsAreNoEnd) {
  EXPECT_EQ(make({.epochs = ~std::uint64_t{0}})->end(), ~std::uint64_t{0});
  EXPECT_EQ(make({})->end(), ~std::uint64_t{0});
}

}  // namespace
}  // namespace headrace::plan
