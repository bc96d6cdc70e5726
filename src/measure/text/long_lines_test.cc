// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_long_lines(const SlowView& view) {
  double count = 0;
  for (const std::string& line : view.lines) {
    if (SlowView(line).code_points.size() >= 200) ++count;
  }
  return count;
}

HEADRACE_TEST_AGAINST_SLOW(LongLinesTest, "long_lines", slow_long_lines);

TEST(LongLinesTest, TwoHundredCodePointsAreLong) {
  const std::string long_line(200, 'a');
  const std::string other(199, 'a');
  EXPECT_EQ(measure_of("long_lines", long_line), 1.0);
  EXPECT_EQ(measure_of("long_lines", other + "  "), 0.0);
  EXPECT_EQ(measure_of("long_lines", long_line + "\n" + other + "\n\n" + long_line + "a\n"), 2.0);
}

TEST(LongLinesTest, NeverNull) {
  EXPECT_EQ(measure_of("long_lines", ""), 0.0);
  EXPECT_EQ(measure_of("long_lines", " \n"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
