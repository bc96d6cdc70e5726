// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_repeated_line_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  const std::set<std::string> distinct(view.lines.begin(), view.lines.end());
  return static_cast<double>(view.lines.size() - distinct.size()) /
         static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(RepeatedLineShareTest, "repeated_line_share", slow_repeated_line_share);

TEST(RepeatedLineShareTest, CountsCopiesNotTheFirst) {
  EXPECT_EQ(measure_of("repeated_line_share", "买\n买\n买\n卖"), 0.5);
  EXPECT_EQ(measure_of("repeated_line_share", "a\nb\nc"), 0.0);
  EXPECT_EQ(measure_of("repeated_line_share", "one line"), 0.0);
}

// A public bug report: airy text with many blank lines was dropped as repetitive.
TEST(RepeatedLineShareTest, BlankLinesAreNoRepetition) {
  std::string airy;
  std::string crlf;
  std::string spam;
  for (int i = 0; i < 6; ++i) spam += "Buy now.\n";
  for (int i = 0; i < 10; ++i) {
    const std::string line = "Line number " + std::to_string(i) + " says something of its own.";
    airy += line + "\n\n\n";
    crlf += line + "\r\n\r\n";
    if (i < 4) spam += line + "\n";
  }
  EXPECT_EQ(measure_of("repeated_line_share", airy), 0.0);
  EXPECT_EQ(measure_of("repeated_line_share", crlf), 0.0);
  EXPECT_EQ(measure_of("repeated_line_share", spam), 0.5);
  EXPECT_EQ(measure_of("repeated_line_share", "\n \n\t\n\n"), std::nullopt);
}

TEST(RepeatedLineShareTest, OuterWhiteSpaceMakesNoDifference) {
  EXPECT_EQ(measure_of("repeated_line_share", "　　段\n段　\r\n段"), 2.0 / 3);
}

TEST(RepeatedLineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("repeated_line_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
