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
  return share_of_lines(view, [&](std::size_t, std::size_t, std::size_t last) {
    const std::uint32_t c = view.code_points[last - 1];
    return c == ';' || c == '{' || c == '}';
  });
}

HEADRACE_TEST_AGAINST_SLOW(CodeLineShareTest, "code_line_share", slow);

TEST(CodeLineShareTest, EqualsItsSlowFormOnLines) {
  expect_equals_slow_on(
      "code_line_share", slow,
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
