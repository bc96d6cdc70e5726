// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_median_line_length(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  std::vector<std::size_t> lengths;
  for (const std::string& line : view.lines) lengths.push_back(SlowView(line).code_points.size());
  std::sort(lengths.begin(), lengths.end());
  const std::size_t n = lengths.size();
  return static_cast<double>(lengths[(n - 1) / 2] + lengths[n / 2]) / 2;
}

HEADRACE_TEST_AGAINST_SLOW(MedianLineLengthTest, "median_line_length", slow_median_line_length);

TEST(MedianLineLengthTest, TheMiddleOrTheMeanOfTwo) {
  EXPECT_EQ(measure_of("median_line_length", "今天很好。"), 5.0);
  EXPECT_EQ(measure_of("median_line_length", "abcdefghij\na\nab"), 2.0);
  EXPECT_EQ(measure_of("median_line_length", "abcd\n\n a \nab\nabcdefg"), 3.0);
  EXPECT_EQ(measure_of("median_line_length", "abc\nab"), 2.5);
}

TEST(MedianLineLengthTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("median_line_length", ""), std::nullopt);
  EXPECT_EQ(measure_of("median_line_length", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
