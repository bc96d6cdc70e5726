// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

// Share of the lines that hold anything but white space for which `counts` is true. It gets the
// code points of the line and the place of the first and behind the last visible one.
template <class Counts>
std::optional<double> share_of_lines(const SlowView& view, Counts counts) {
  std::size_t lines = 0, found = 0;
  for (std::size_t begin = 0; begin < view.code_points.size();) {
    std::size_t end = begin;
    while (end < view.code_points.size() && view.code_points[end] != '\n') ++end;
    std::size_t first = begin, last = end;
    while (first < end && (view.classes[first] & kSpace) != 0) ++first;
    while (last > first && (view.classes[last - 1] & kSpace) != 0) --last;
    if (first < last) {
      ++lines;
      found += counts(begin, first, last) ? 1 : 0;
    }
    begin = end + 1;
  }
  if (lines == 0) return std::nullopt;
  return static_cast<double>(found) / static_cast<double>(lines);
}

std::optional<double> slow(const SlowView& view) {
  return share_of_lines(view, [&](std::size_t begin, std::size_t first, std::size_t) {
    return first > begin &&
           (view.code_points[first - 1] == ' ' || view.code_points[first - 1] == '\t');
  });
}

HEADRACE_TEST_AGAINST_SLOW(IndentedLineShareTest, "indented_line_share", slow);

TEST(IndentedLineShareTest, EqualsItsSlowFormOnLines) {
  expect_equals_slow_on(
      "indented_line_share", slow,
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
