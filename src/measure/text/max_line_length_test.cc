// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_max_line_length(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  std::size_t longest = 0;
  for (const std::string& line : view.lines) {
    longest = std::max(longest, SlowView(line).code_points.size());
  }
  return static_cast<double>(longest);
}

HEADRACE_TEST_AGAINST_SLOW(MaxLineLengthTest, "max_line_length", slow_max_line_length);

TEST(MaxLineLengthTest, WithoutTheWhiteSpaceAtBothEnds) {
  EXPECT_EQ(measure_of("max_line_length", "今天很好。\n是吗"), 5.0);
  EXPECT_EQ(measure_of("max_line_length", "      ab      \nabc\n"), 3.0);
}

TEST(MaxLineLengthTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("max_line_length", ""), std::nullopt);
  EXPECT_EQ(measure_of("max_line_length", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
