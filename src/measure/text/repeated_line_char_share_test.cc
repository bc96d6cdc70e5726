// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_repeated_line_char_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  std::set<std::string> seen;
  std::size_t repeated = 0;
  for (const std::string& line : view.lines) {
    if (!seen.insert(line).second) repeated += SlowView(line).code_points.size();
  }
  return static_cast<double>(repeated) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(RepeatedLineCharShareTest, "repeated_line_char_share",
                           slow_repeated_line_char_share);

TEST(RepeatedLineCharShareTest, CopiesPerCodePointOfTheText) {
  EXPECT_EQ(measure_of("repeated_line_char_share", "买买\n买买\n卖"), 2.0 / 7);
  EXPECT_EQ(measure_of("repeated_line_char_share", "ab\nab\nab"), 0.5);
  EXPECT_EQ(measure_of("repeated_line_char_share", "  ab\nab\t\n"), 2.0 / 9);
  EXPECT_EQ(measure_of("repeated_line_char_share", "a\nb\n\nc"), 0.0);
}

TEST(RepeatedLineCharShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("repeated_line_char_share", ""), std::nullopt);
  EXPECT_EQ(measure_of("repeated_line_char_share", " \n\n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
