// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_lines.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_repeated_paragraph_share(const SlowView& view) {
  std::set<std::string> seen;
  double repeated = 0;
  double all = 0;
  for (const SlowParagraph& paragraph : slow_paragraphs(view)) {
    if (!seen.insert(paragraph.lines).second) ++repeated;
    ++all;
  }
  if (all == 0) return std::nullopt;
  return repeated / all;
}

HEADRACE_TEST_AGAINST_SLOW(RepeatedParagraphShareTest, "repeated_paragraph_share",
                           slow_repeated_paragraph_share);

TEST(RepeatedParagraphShareTest, CopiesPerParagraph) {
  EXPECT_EQ(measure_of("repeated_paragraph_share", "买\n\n买\n\n\n买\n\n卖"), 0.5);
  EXPECT_EQ(measure_of("repeated_paragraph_share", "a\nb\n\na\nb\n\nb\na"), 1.0 / 3);
  EXPECT_EQ(measure_of("repeated_paragraph_share", "ab\n\na\nb"), 0.0);
  EXPECT_EQ(measure_of("repeated_paragraph_share", "a\na\na"), 0.0);
}

TEST(RepeatedParagraphShareTest, BlankLinesMayHoldWhiteSpaceAndLinesEndInIt) {
  EXPECT_EQ(measure_of("repeated_paragraph_share", "\n\n a\r\n \t\r\n　a　\n\n\n"), 0.5);
}

TEST(RepeatedParagraphShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("repeated_paragraph_share", ""), std::nullopt);
  EXPECT_EQ(measure_of("repeated_paragraph_share", "\n \n\n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
