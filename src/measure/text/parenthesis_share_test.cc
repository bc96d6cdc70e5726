// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_parenthesis_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  const std::u32string brackets = U"()[]{}（）［］｛｝";
  const auto found = std::count_if(
      view.code_points.begin(), view.code_points.end(),
      [&](std::uint32_t c) { return brackets.find(static_cast<char32_t>(c)) != brackets.npos; });
  return static_cast<double>(found) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(ParenthesisShareTest, "parenthesis_share", slow_parenthesis_share);

TEST(ParenthesisShareTest, CountsBracketsOfBothWidths) {
  EXPECT_EQ(measure_of("parenthesis_share", "f(x)[0]{}"), 6.0 / 9);
  EXPECT_EQ(measure_of("parenthesis_share", "他（她）来"), 0.4);
  EXPECT_EQ(measure_of("parenthesis_share", "《书》<a>"), 0.0);
}

TEST(ParenthesisShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("parenthesis_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
