// SPDX-License-Identifier: Apache-2.0
#include "report/axis.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace headrace::report {
namespace {

Histogram range(double low, double high, Scale scale = Scale::kLinear) {
  Histogram histogram;
  histogram.low = low;
  histogram.high = high;
  histogram.scale = scale;
  return histogram;
}

TEST(AxisTest, EndsAndMiddle) {
  const struct {
    Histogram histogram;
    double middle;
  } kCases[] = {{range(0, 10), 5},
                {range(-4, 4), 0},
                {range(0, 1, Scale::kSquareRoot), 0.25},
                {range(0, 99, Scale::kLogarithmic), 9}};
  for (const auto& [histogram, middle] : kCases) {
    const Axis axis(histogram, 10, 110);
    EXPECT_NEAR(axis.x(histogram.low), 10, 1e-9);
    EXPECT_NEAR(axis.x(middle), 60, 1e-9);
    EXPECT_NEAR(axis.x(histogram.high), 110, 1e-9);
    EXPECT_NEAR(axis.edge(1, 2), middle, 1e-9);
    EXPECT_NEAR(axis.edge(2, 2), histogram.high, 1e-9);
  }
}

TEST(AxisTest, ContainsItsEnds) {
  const Axis axis(range(0, 1), 0, 100);
  EXPECT_TRUE(axis.contains(0));
  EXPECT_TRUE(axis.contains(1));
  EXPECT_FALSE(axis.contains(1.01));
  EXPECT_FALSE(axis.contains(-0.01));
}

TEST(AxisTest, RangesThatAreNone) {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<double, double> kRanges[] = {{5, 5}, {9, 1}, {nan, 1}, {0, inf}, {-inf, inf}};
  for (const auto& [low, high] : kRanges) {
    for (const Scale scale : {Scale::kLinear, Scale::kSquareRoot, Scale::kLogarithmic}) {
      const Axis axis(range(low, high, scale), 0, 100);
      for (std::size_t i = 0; i <= 4; ++i) {
        EXPECT_TRUE(std::isfinite(axis.edge(i, 4))) << low << " " << high;
        EXPECT_NEAR(axis.x(axis.edge(i, 4)), 25.0 * static_cast<double>(i), 1e-6);
      }
      for (const double tick : axis.ticks()) {
        EXPECT_TRUE(std::isfinite(tick)) << low << " " << high;
      }
    }
  }
}

TEST(AxisTest, TicksAreRoundNumbers) {
  const auto ticks = [](const Histogram& histogram) { return Axis(histogram, 0, 400).ticks(); };
  const auto near = [](const std::vector<double>& found, const std::vector<double>& wanted) {
    ASSERT_EQ(found.size(), wanted.size()) << testing::PrintToString(found);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_NEAR(found[i], wanted[i], 1e-9);
    }
  };
  near(ticks(range(0, 1)), {0, 0.2, 0.4, 0.6, 0.8, 1});
  near(ticks(range(-1, 1)), {-1, -0.5, 0, 0.5, 1});
  near(ticks(range(0, 37)), {0, 10, 20, 30});
  near(ticks(range(0, 2000, Scale::kLogarithmic)), {0, 1, 10, 100, 1000});
  near(ticks(range(20, 50, Scale::kLogarithmic)), {20, 50});
  near(ticks(range(0, 1, Scale::kSquareRoot)), {0, 0.02, 0.05, 0.1, 0.2, 0.5, 1});
}

TEST(AxisTest, SquareRootTicksKeepTheirDistance) {
  for (const double high : {0.003, 0.07, 0.6, 1.0, 42.0, 1e6}) {
    const Axis axis(range(0, high, Scale::kSquareRoot), 100, 470);
    const std::vector<double> ticks = axis.ticks();
    EXPECT_GE(ticks.size(), 4U) << high;
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      EXPECT_GE(axis.x(ticks[i]) - axis.x(ticks[i - 1]), 25) << high;
    }
  }
}

}  // namespace
}  // namespace headrace::report
