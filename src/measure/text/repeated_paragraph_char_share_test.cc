// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_lines.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_repeated_paragraph_char_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  std::set<std::string> seen;
  std::size_t repeated = 0;
  for (const SlowParagraph& paragraph : slow_paragraphs(view)) {
    if (!seen.insert(paragraph.lines).second) repeated += paragraph.code_points;
  }
  return static_cast<double>(repeated) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(RepeatedParagraphCharShareTest, "repeated_paragraph_char_share",
                           slow_repeated_paragraph_char_share);

TEST(RepeatedParagraphCharShareTest, CopiesPerCodePointOfTheText) {
  EXPECT_EQ(measure_of("repeated_paragraph_char_share", "买买\n\n买买"), 2.0 / 6);
  EXPECT_EQ(measure_of("repeated_paragraph_char_share", "a\nb\n\na\nb\n\n"), 3.0 / 10);
  EXPECT_EQ(measure_of("repeated_paragraph_char_share", " a\n\n  a "), 1.0 / 8);
  EXPECT_EQ(measure_of("repeated_paragraph_char_share", "a\na"), 0.0);
}

TEST(RepeatedParagraphCharShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("repeated_paragraph_char_share", ""), std::nullopt);
  EXPECT_EQ(measure_of("repeated_paragraph_char_share", "\n \n\n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
