// SPDX-License-Identifier: Apache-2.0
#include "dedup/simhash.h"

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "base/counter_rng.h"

namespace headrace::dedup {
namespace {

const CounterRng kRandom{11, purpose("test")};

using Pairs = std::set<std::tuple<std::uint32_t, std::uint32_t, unsigned>>;

Pairs compared(const std::vector<std::uint64_t>& hashes, unsigned radius) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    for (std::uint32_t j = i + 1; j < hashes.size(); ++j) {
      const auto distance = static_cast<unsigned>(std::popcount(hashes[i] ^ hashes[j]));
      if (distance <= radius) pairs.emplace(i, j, distance);
    }
  }
  return pairs;
}

TEST(SimhashTest, TheMajorityOfEachBit) {
  for (std::size_t count = 0; count < 300; ++count) {
    std::vector<std::uint64_t> shingles;
    for (std::size_t i = 0; i < count; ++i) shingles.push_back(kRandom.at(i % 37));
    // One alone shows what its bits are mixed to.
    std::array<std::size_t, 64> ones{};
    for (const std::uint64_t shingle : shingles) {
      const std::uint64_t mixed = simhash(std::span(&shingle, 1));
      for (unsigned bit = 0; bit < 64; ++bit) ones[bit] += mixed >> bit & 1;
    }
    std::uint64_t wanted = 0;
    for (unsigned bit = 0; bit < 64; ++bit) wanted |= std::uint64_t{2 * ones[bit] > count} << bit;
    ASSERT_EQ(simhash(shingles), wanted) << count;
    std::reverse(shingles.begin(), shingles.end());
    ASSERT_EQ(simhash(shingles), wanted) << count;
  }
}

TEST(SimhashTest, FewChangesChangeFewBits) {
  std::vector<std::uint64_t> shingles;
  for (std::size_t i = 0; i < 2000; ++i) shingles.push_back(kRandom.at(i));
  const std::uint64_t whole = simhash(shingles);
  for (std::size_t i = 0; i < 10; ++i) shingles[i] = kRandom.at(5000 + i);
  EXPECT_LE(std::popcount(simhash(shingles) ^ whole), 6);
  for (std::size_t i = 0; i < 2000; ++i) shingles[i] = kRandom.at(9000 + i);
  EXPECT_GE(std::popcount(simhash(shingles) ^ whole), 12);
}

TEST(NearPairsTest, AllWithinTheRadiusAndEachOnce) {
  for (unsigned radius = 0; radius <= kLargestRadius; ++radius) {
    std::set<std::uint64_t> distinct;
    for (std::uint64_t i = 0; i < 300; ++i) {
      std::uint64_t hash = kRandom.at(i);
      distinct.insert(hash);
      for (std::uint64_t j = 0; j < 6; ++j) {  // neighbours at all distances around the radius
        hash ^= std::uint64_t{1} << kRandom.at(1000 * i + j) % 64;
        hash ^= j % 2 == 0 ? 0 : std::uint64_t{1} << kRandom.at(7000 * i + j) % 64;
        distinct.insert(hash);
      }
    }
    const std::vector<std::uint64_t> hashes(distinct.begin(), distinct.end());
    Pairs found;
    for_each_near_pair(hashes, radius, [&](std::uint32_t i, std::uint32_t j, unsigned distance) {
      EXPECT_TRUE(found.emplace(i, j, distance).second);
    });
    EXPECT_EQ(found, compared(hashes, radius)) << radius;
    EXPECT_GE(found.size(), radius == 0 ? 0U : 300U);
  }
}

// Whatever the number of hashes, and with it the plan.
TEST(NearPairsTest, EveryPlanMeetsAllPairs) {
  for (unsigned radius = 0; radius <= kLargestRadius; ++radius) {
    for (const std::uint64_t count :
         {std::uint64_t{10}, std::uint64_t{1} << 20, std::uint64_t{1} << 30}) {
      const BlockTables tables = BlockTables::plan(radius, count);
      for (std::uint64_t i = 0; i < 2000; ++i) {
        std::uint64_t changed = 0;
        for (unsigned bit = 0; bit < radius; ++bit)
          changed |= std::uint64_t{1} << kRandom.at(i * 16 + bit) % 64;
        EXPECT_TRUE(std::any_of(tables.masks.begin(), tables.masks.end(),
                                [&](std::uint64_t mask) { return (changed & mask) == 0; }));
      }
    }
  }
}

}  // namespace
}  // namespace headrace::dedup
