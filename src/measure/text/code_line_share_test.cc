// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_lines.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_code_line_share(const SlowView& view) {
  return share_of_lines(view, [&](std::size_t, std::size_t, std::size_t last) {
    const std::uint32_t c = view.code_points[last - 1];
    return c == ';' || c == '{' || c == '}';
  });
}

HEADRACE_TEST_AGAINST_SLOW(CodeLineShareTest, "code_line_share", slow_code_line_share);

TEST(CodeLineShareTest, EqualsItsSlowFormOnLines) {
  expect_equals_slow_on(
      "code_line_share", slow_code_line_share,
      texts_of({"\n", "\n", " ", "\t", ";", "a", "汉", "}", "{", "\r\n", "；"}, 1000));
}

TEST(CodeLineShareTest, CountsLinesThatEndLikeCode) {
  EXPECT_EQ(measure_of("code_line_share", "int main() {\n  return 0;\n}\n"), 1.0);
  EXPECT_EQ(measure_of("code_line_share", "第一条；\n第二条;  \n"), 0.5);
  EXPECT_EQ(measure_of("code_line_share", "x = 1; y"), 0.0);
}

TEST(CodeLineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("code_line_share", ""), std::nullopt);
  EXPECT_EQ(measure_of("code_line_share", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
