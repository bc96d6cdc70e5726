// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_lines.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_end_mark_line_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  double count = 0;
  for (const std::string& line : view.lines) {
    if (slow_end_marked(line)) ++count;
  }
  return count / static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(EndMarkLineShareTest, "end_mark_line_share", slow_end_mark_line_share);

TEST(EndMarkLineShareTest, EndMarksOfAllScripts) {
  EXPECT_EQ(measure_of("end_mark_line_share", "今天很好。\n走吧！\n首页\n是吗？"), 0.75);
  EXPECT_EQ(measure_of("end_mark_line_share", "Go on.\nHome\nReally?  \nYes!"), 0.75);
  EXPECT_EQ(measure_of("end_mark_line_share", "العربية؟\nहिन्दी।\nno"), 2.0 / 3);
  EXPECT_EQ(measure_of("end_mark_line_share", "第一；\n等等…\n完"), 2.0 / 3);
}

TEST(EndMarkLineShareTest, ClosersBehindAMarkDoNotHideIt) {
  EXPECT_EQ(measure_of("end_mark_line_share", "他说：“走。”"), 1.0);
  EXPECT_EQ(measure_of("end_mark_line_share", "（他说：『走！』）"), 1.0);
  EXPECT_EQ(measure_of("end_mark_line_share", "\"Ready?\""), 1.0);
  EXPECT_EQ(measure_of("end_mark_line_share", "(See below.)"), 1.0);
  EXPECT_EQ(measure_of("end_mark_line_share", "He said \"go\""), 0.0);
  EXPECT_EQ(measure_of("end_mark_line_share", "(below)"), 0.0);
  EXPECT_EQ(measure_of("end_mark_line_share", ")))"), 0.0);
}

// A public bug report: with ASCII marks alone the Chinese page has no sentence at all.
TEST(EndMarkLineShareTest, MenuLinesHaveNone) {
  EXPECT_EQ(
      measure_of("end_mark_line_share",
                 "今天天气很好。\n我们去爬山吧！\n你带水了吗？\n他说：“走。”\n首页\n关于我们\n"
                 "未完待续……\n"),
      5.0 / 7);
  EXPECT_EQ(measure_of("end_mark_line_share",
                       "The sun was out.\nLet's go!\nHome\nAbout us\n\"Ready?\"\nTo be "
                       "continued...\n"),
            4.0 / 6);
}

TEST(EndMarkLineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("end_mark_line_share", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
