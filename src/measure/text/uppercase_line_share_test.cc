// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_uppercase_line_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  double count = 0;
  for (const std::string& line : view.lines) {
    if (2 * SlowView(line).count(kUpper) > SlowView(line).code_points.size()) ++count;
  }
  return count / static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(UppercaseLineShareTest, "uppercase_line_share",
                           slow_uppercase_line_share);

TEST(UppercaseLineShareTest, MoreThanHalfOfTheLine) {
  EXPECT_EQ(measure_of("uppercase_line_share", "GO TO TOP\nUSB 2.0\nHello\nНОВОСТИ"), 0.5);
  EXPECT_EQ(measure_of("uppercase_line_share", "ABcd"), 0.0);
  EXPECT_EQ(measure_of("uppercase_line_share", "ABCdef\nABCDef"), 0.5);
  EXPECT_EQ(measure_of("uppercase_line_share", "使用API\n首页"), 0.5);
}

// The walk over a line stops where the rest cannot matter: marks on both sides of blocks.
TEST(UppercaseLineShareTest, WhereverTheLettersStand) {
  for (std::size_t before = 0; before < 140; ++before) {
    const std::string lower(before, 'a');
    EXPECT_EQ(measure_of("uppercase_line_share", lower + std::string(before + 1, 'A')), 1.0)
        << before;
    EXPECT_EQ(measure_of("uppercase_line_share", std::string(before + 1, 'A') + lower), 1.0)
        << before;
    EXPECT_EQ(measure_of("uppercase_line_share", "-" + lower + std::string(before, 'A')), 0.0)
        << before;
  }
}

TEST(UppercaseLineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("uppercase_line_share", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
