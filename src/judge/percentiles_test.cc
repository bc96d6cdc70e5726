// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "judge/judge.h"

namespace headrace::judge {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Expected: numpy 2.4.6, float(np.percentile(values, p)).
TEST(PercentileTest, EqualsNumpyToTheBit) {
  struct Case {
    std::vector<double> values;
    double p;
    double expected;
  };
  const std::vector<Case> cases = {
      {{1.0}, 0, 1.0},
      {{1.0}, 66.7, 1.0},
      {{1.0}, 100, 1.0},
      {{2.0, 1.0}, 5, 1.05},
      {{2.0, 1.0}, 33.3, 1.333},
      {{2.0, 1.0}, 50, 1.5},
      {{2.0, 1.0}, 66.7, 1.667},
      {{3.5, 0.1, 0.7, 0.2}, 0, 0.1},
      {{3.5, 0.1, 0.7, 0.2}, 5, 0.115},
      {{3.5, 0.1, 0.7, 0.2}, 33.3, 0.1999},
      {{3.5, 0.1, 0.7, 0.2}, 50, 0.44999999999999996},
      {{3.5, 0.1, 0.7, 0.2}, 66.7, 0.7028000000000009},
      {{3.5, 0.1, 0.7, 0.2}, 95, 3.079999999999999},
      {{3.5, 0.1, 0.7, 0.2}, 100, 3.5},
      {{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, 33.3, 0.29979999999999996},
      {{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, 66.7, 0.5002000000000001},
      {{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7}, 95, 0.6699999999999999},
      {{5, 5, 5, 1}, 33.3, 4.9959999999999996},
      {{5, 5, 5, 1}, 50, 5},
      {{-1.5, 1e300, 0.3}, 33.3, -0.3012000000000002},
      {{-1.5, 1e300, 0.3}, 66.7, 3.3400000000000008e+299},
  };
  for (const Case& c : cases) {
    auto values = c.values;
    const auto got = percentile(values, c.p);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(*got, c.expected) << c.values.size() << " values, p " << c.p;
  }
}

TEST(PercentilesTest, EqualEachByItself) {
  constexpr CounterRng rng(5, purpose("test"));
  const std::vector<double> points = {0, 1, 5, 5, 25, 50, 75, 95, 99, 99.9, 100};
  for (const std::size_t n : {1, 2, 3, 10, 1001}) {
    std::vector<double> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i] = i % 7 == 3 ? kNaN : static_cast<double>(rng.below(i, 50));
    auto copy = values;
    const std::vector<double> all = percentiles(copy, points);
    ASSERT_EQ(all.size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      copy = values;
      EXPECT_EQ(all[i], percentile(copy, points[i])) << n << " values, p " << points[i];
    }
  }
  std::vector<double> nulls = {kNaN};
  EXPECT_TRUE(percentiles(nulls, points).empty());
}

TEST(PercentileTest, NullsAreLeftOut) {
  std::vector<double> values = {kNaN, 4, kNaN, 2, kNaN};
  EXPECT_EQ(percentile(values, 50), 3.0);
  std::vector<double> nulls = {kNaN, kNaN};
  EXPECT_EQ(percentile(nulls, 50), std::nullopt);
  EXPECT_EQ(percentile({}, 50), std::nullopt);
}

TEST(PercentileTest, EqualInfinitiesStayInfinite) {
  std::vector<double> values = {kInfinity, kInfinity, 1};
  EXPECT_EQ(percentile(values, 75), kInfinity);
}

TEST(PercentileTest, OrderDoesNotMatter) {
  constexpr CounterRng rng(3, purpose("test"));
  std::vector<double> values(1001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = rng.unit(i);
  auto sorted = values;
  std::sort(sorted.begin(), sorted.end());
  for (const double p : {0.0, 0.1, 5.0, 37.0, 50.0, 95.0, 99.9, 100.0}) {
    auto shuffled = values;
    auto ascending = sorted;
    EXPECT_EQ(percentile(shuffled, p), percentile(ascending, p)) << p;
  }
  auto again = values;
  EXPECT_EQ(percentile(again, 50), sorted[500]);
}

TEST(ResolvePercentilesTest, BoundsComeFromTheValues) {
  const Rule rule = {.column = "line_count", .auto_min_percentile = 5, .auto_max_percentile = 95};
  std::vector<double> values;
  for (int i = 0; i <= 100; ++i) values.push_back(i);
  EXPECT_EQ(resolve_percentiles(rule, values), (Rule{.column = "line_count", .min = 5, .max = 95}));
  EXPECT_EQ(resolve_percentiles(rule, {}), Rule{.column = "line_count"});
}

TEST(ResolvePercentilesTest, PlainBoundsStay) {
  std::vector<double> values = {1, 2, 3};
  const Rule rule = {.column = "x", .min = 0.5, .auto_max_percentile = 50};
  EXPECT_EQ(resolve_percentiles(rule, values), (Rule{.column = "x", .min = 0.5, .max = 2}));
}

}  // namespace
}  // namespace headrace::judge
