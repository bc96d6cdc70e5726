// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

#include "report/report.h"

namespace headrace::report {
namespace {

bool holds(const std::vector<double>& edges, double value) {
  return std::find(edges.begin(), edges.end(), value) != edges.end();
}

TEST(LineEdgesTest, ValuesThatPeopleWrite) {
  const auto shares = line_edges(Scale::kSquareRoot, 0, 1, {});
  for (const double value : {0.0, 0.001, 0.015, 0.03, 0.15, 0.3, 0.07, 0.29, 0.58, 1.0})
    EXPECT_TRUE(holds(shares, value)) << value;
  const auto lengths = line_edges(Scale::kLogarithmic, 0, 1e6, {});
  for (const double value : {0.0, 0.5, 1.0, 3.0, 10.0, 15.0, 50.0, 250.0, 5000.0, 1e5, 1e6})
    EXPECT_TRUE(holds(lengths, value)) << value;
  const auto means = line_edges(Scale::kLinear, 0, 12, {});
  for (const double value : {0.0, 0.2, 3.0, 10.0, 12.0}) EXPECT_TRUE(holds(means, value)) << value;
  EXPECT_LT(shares.size() + lengths.size() + means.size(), 450u);
}

TEST(LineEdgesTest, AscendingAndOnceWithAllBounds) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [scale, low, high] : {std::tuple(Scale::kSquareRoot, 0.0, 1.0),
                                         {Scale::kLogarithmic, 0.0, 12345.0},
                                         {Scale::kLinear, -3.0, 4.0},
                                         {Scale::kLinear, 5.0, 5.0},
                                         {Scale::kLogarithmic, 0.0, inf}}) {
    const auto edges = line_edges(
        scale, low, high, {0.1234, 7e9, 0.1234, inf, std::numeric_limits<double>::quiet_NaN()});
    EXPECT_TRUE(std::is_sorted(edges.begin(), edges.end()));
    EXPECT_EQ(std::adjacent_find(edges.begin(), edges.end()), edges.end());
    EXPECT_TRUE(holds(edges, 0.1234) && holds(edges, 7e9));
    EXPECT_FALSE(holds(edges, inf));
  }
}

TEST(LineEdgesTest, ALineMayStandAboveEverything) {
  for (const double high : {9.0, 10.0, 11.0, 999.0, 1000.0, 123456.0})
    EXPECT_GE(line_edges(Scale::kLogarithmic, 0, high, {}).back(), high) << high;
}

TEST(LineEdgesTest, PlacesBetweenAndAtEdges) {
  const std::vector<double> edges = {0, 10, 20};
  const std::pair<double, std::size_t> kCases[] = {{-1, 0}, {0, 1},  {5, 2}, {10, 3},
                                                   {15, 4}, {20, 5}, {21, 6}};
  for (const auto& [value, place] : kCases) EXPECT_EQ(edge_place(edges, value), place) << value;
  EXPECT_EQ(edge_place({}, 3), 0u);
}

}  // namespace
}  // namespace headrace::report
