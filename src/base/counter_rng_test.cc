// SPDX-License-Identifier: Apache-2.0
#include "base/counter_rng.h"

#include <array>
#include <set>

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(CounterRngTest, IsAFunctionOfItsKey) {
  const CounterRng a(7, purpose("shard"), 2);
  EXPECT_EQ(a.at(5), CounterRng(7, purpose("shard"), 2).at(5));
  std::set<std::uint64_t> values = {a.at(5), a.at(6), CounterRng(8, purpose("shard"), 2).at(5),
                                    CounterRng(7, purpose("window"), 2).at(5),
                                    CounterRng(7, purpose("shard"), 3).at(5)};
  EXPECT_EQ(values.size(), 5U);
}

TEST(CounterRngTest,
     BitsNeverChange) {  // orders of existing shard sets depend on them; values from
                         // an independent Python version
  EXPECT_EQ(CounterRng(0, purpose("shard"), 0).at(0), 0x8100fd32def35e2cU);
  EXPECT_EQ(CounterRng(20261130, purpose("mix"), 3).at(1'000'000'007), 0x823b56aab2aa930cU);
}

TEST(CounterRngTest, BelowIsEven) {
  std::array<int, 10> seen{};
  const CounterRng rng(1, purpose("test"));
  for (std::uint64_t i = 0; i < 100'000; ++i) ++seen[rng.below(i, 10)];
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 400);  // four standard deviations
}

TEST(CounterRngTest, UnitIsInRangeAndCentred) {
  const CounterRng rng(3, purpose("test"));
  double sum = 0;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const double value = rng.unit(i);
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 100'000, 0.5, 0.004);
}

}  // namespace
}  // namespace headrace
