// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_short_line_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  double count = 0;
  for (const std::string& line : view.lines) {
    if (SlowView(line).code_points.size() <= 30) ++count;
  }
  return count / static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(ShortLineShareTest, "short_line_share", slow_short_line_share);

TEST(ShortLineShareTest, ThirtyCodePointsAreShort) {
  const std::string thirty(30, 'a');
  EXPECT_EQ(measure_of("short_line_share", thirty), 1.0);
  EXPECT_EQ(measure_of("short_line_share", thirty + "a"), 0.0);
  EXPECT_EQ(measure_of("short_line_share", "   " + thirty + "\t\n\n" + thirty + "a\n首页\n"),
            2.0 / 3);
}

TEST(ShortLineShareTest, CountsCodePointsNotBytes) {
  std::string line;
  for (int i = 0; i < 30; ++i) line += "字";
  EXPECT_EQ(measure_of("short_line_share", line), 1.0);
}

TEST(ShortLineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("short_line_share", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
