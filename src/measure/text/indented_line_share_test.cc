// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_lines.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_indented_line_share(const SlowView& view) {
  return share_of_lines(view, [&](std::size_t begin, std::size_t first, std::size_t) {
    return first > begin &&
           (view.code_points[first - 1] == ' ' || view.code_points[first - 1] == '\t');
  });
}

HEADRACE_TEST_AGAINST_SLOW(IndentedLineShareTest, "indented_line_share", slow_indented_line_share);

TEST(IndentedLineShareTest, EqualsItsSlowFormOnLines) {
  expect_equals_slow_on(
      "indented_line_share", slow_indented_line_share,
      texts_of({"\n", "\n", " ", "\t", "\u3000", "a", "汉;", "}", "\r\n", "\u00A0"}, 1000));
}

TEST(IndentedLineShareTest, BlanksAndTabsIndent) {
  EXPECT_EQ(measure_of("indented_line_share", "if x:\n    y()\n\tz()\n\n"), 2.0 / 3);
  EXPECT_EQ(measure_of("indented_line_share", "　　他来了。\n　　她走了。"), 0.0);
  EXPECT_EQ(measure_of("indented_line_share", "a\n b"), 0.5);
}

TEST(IndentedLineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("indented_line_share", ""), std::nullopt);
  EXPECT_EQ(measure_of("indented_line_share", "  \n\t"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
