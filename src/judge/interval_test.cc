// SPDX-License-Identifier: Apache-2.0
#include "judge/interval.h"

#include <cmath>

#include <gtest/gtest.h>

namespace headrace::judge {
namespace {

// P(at most k hits among n) at share p, summed term by term.
double at_most(std::uint64_t k, std::uint64_t n, double p) {
  double sum = 0;
  for (std::uint64_t i = 0; i <= k; ++i) {
    const auto x = static_cast<double>(i);
    const auto all = static_cast<double>(n);
    sum += std::exp(std::lgamma(all + 1) - std::lgamma(x + 1) - std::lgamma(all - x + 1) +
                    x * std::log(p) + (all - x) * std::log1p(-p));
  }
  return sum;
}

// What defines it: at each end the sample is as unlikely as the tail allows.
TEST(ShareIntervalTest, EndsLeaveTheTails) {
  for (const auto& [k, n] : {std::pair<std::uint64_t, std::uint64_t>{1, 10},
                             {3, 12},
                             {9, 10},
                             {50, 1000},
                             {999, 1000},
                             {7, 100000},
                             {40000, 100000}}) {
    const Interval interval = share_interval(k, n, 0.95);
    EXPECT_NEAR(1 - at_most(k - 1, n, interval.low), 0.025, 1e-6) << k << " of " << n;
    EXPECT_NEAR(at_most(k, n, interval.high), 0.025, 1e-6) << k << " of " << n;
  }
}

TEST(ShareIntervalTest, NoneAndAllAreOneSided) {
  const Interval none = share_interval(0, 100, 0.95);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 1.0 / 100), 1e-9);
  const Interval all = share_interval(100, 100, 0.95);
  EXPECT_NEAR(all.low, std::pow(0.025, 1.0 / 100), 1e-9);
  EXPECT_EQ(all.high, 1);
  const Interval empty = share_interval(0, 0, 0.95);
  EXPECT_EQ(empty.low, 0);
  EXPECT_EQ(empty.high, 1);
}

}  // namespace
}  // namespace headrace::judge
