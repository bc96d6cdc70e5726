// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_lines.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_c4_line_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  double count = 0;
  for (const std::string& line : view.lines) {
    if (slow_c4_keeps(line)) ++count;
  }
  return count / static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(C4LineShareTest, "c4_line_share", slow_c4_line_share);

TEST(C4LineShareTest, FullSentencesStay) {
  EXPECT_EQ(measure_of("c4_line_share",
                       "This stays here.\n  So does this!  \nHe said \"so it is\"\nHome"),
            0.75);
  EXPECT_EQ(measure_of("c4_line_share", "今天天气很好。\n你带水了吗？\n他说：“我们走吧。”\n首页"),
            0.75);
}

TEST(C4LineShareTest, AnEllipsisIsNoEnd) {
  EXPECT_EQ(measure_of("c4_line_share", "To be continued...\n这里未完待续……\n这里未完待续…"), 0.0);
}

TEST(C4LineShareTest, ThreeWordsOrFiveHanCharacters) {
  EXPECT_EQ(measure_of("c4_line_share", "Let's go!"), 0.0);
  EXPECT_EQ(measure_of("c4_line_share", "Let us  go!"), 1.0);
  EXPECT_EQ(measure_of("c4_line_share", "Let\u3000us\u3000\u3000go!"), 1.0);
  EXPECT_EQ(measure_of("c4_line_share", "走吧走吧！"), 0.0);
  EXPECT_EQ(measure_of("c4_line_share", "我们走吧走！"), 1.0);
}

TEST(C4LineShareTest, ABracketAloneIsNoEndAQuotationMarkIs) {
  EXPECT_EQ(measure_of("c4_line_share", "(See the page below.)"), 0.0);
  EXPECT_EQ(measure_of("c4_line_share", "（参看下面一页。）"), 0.0);
  EXPECT_EQ(measure_of("c4_line_share", "He spoke of 'the end'"), 1.0);
  EXPECT_EQ(measure_of("c4_line_share", "他说的是「最后一天」"), 1.0);
}

TEST(C4LineShareTest, NoWordOfAThousand) {
  const std::string word(1000, 'x');
  EXPECT_EQ(measure_of("c4_line_share", "Look at this " + word.substr(1) + "."), 1.0);
  EXPECT_EQ(measure_of("c4_line_share", "Look at this " + word + "."), 0.0);
  EXPECT_EQ(measure_of("c4_line_share", word + "! Look at this."), 0.0);
  EXPECT_EQ(measure_of("c4_line_share", "看看这里有" + word + "。"), 0.0);
  std::string han;
  for (int i = 0; i < 1001; ++i) han += "字";
  EXPECT_EQ(measure_of("c4_line_share", han + "。"), 1.0);
}

TEST(C4LineShareTest, PhrasesInAnyCaseAnywhere) {
  for (const char* phrase :
       {"javascript", "JavaScript", "Terms of Use", "privacy policy", "Cookie Policy",
        "uses cookies", "use of cookies", "use cookies", "使用Cookie", "使用 cookie", "隐私政策",
        "隐私条款", "使用条款", "服务条款"}) {
    for (std::size_t before = 0; before < 70; ++before) {
      const std::string line = std::string(before, '-') + phrase + " is a part of it.";
      EXPECT_EQ(measure_of("c4_line_share", line), 0.0) << line;
      EXPECT_EQ(measure_of("c4_line_share", line + "\nThis line is another."), 0.5) << line;
    }
  }
  EXPECT_EQ(measure_of("c4_line_share",
                       "We like to cook with vanilla, ok? The terms of trade use a policy."),
            1.0);
}

// A cut across a phrase is no phrase; one phrase takes one line.
TEST(C4LineShareTest, PhrasesDoNotReachOverLineEnds) {
  EXPECT_EQ(measure_of("c4_line_share", "This is our privacy\npolicy for all of you."), 0.5);
  EXPECT_EQ(
      measure_of("c4_line_share", "We use cookies here.\nWe do not here.\nWe use cookies again."),
      1.0 / 3);
}

TEST(C4LineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("c4_line_share", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
