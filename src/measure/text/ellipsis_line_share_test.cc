// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_ellipsis_line_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  double count = 0;
  for (const std::string& line : view.lines) {
    if (line.ends_with("...") || line.ends_with("…")) ++count;
  }
  return count / static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(EllipsisLineShareTest, "ellipsis_line_share", slow_ellipsis_line_share);

TEST(EllipsisLineShareTest, DotsOrTheCharacter) {
  EXPECT_EQ(measure_of("ellipsis_line_share", "Read more...\nAnd more…  \n\nEnd.\n未完待续……"),
            0.75);
  EXPECT_EQ(measure_of("ellipsis_line_share", "...\n..\n…\n。。。"), 0.5);
  EXPECT_EQ(measure_of("ellipsis_line_share", "...so\n“走……”"), 0.0);
}

TEST(EllipsisLineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("ellipsis_line_share", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
