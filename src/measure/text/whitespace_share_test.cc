// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_whitespace_share(const SlowView& view) {
  if (view.code_points.size() == 0) return std::nullopt;
  return static_cast<double>(view.count(kSpace)) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(WhitespaceShareTest, "whitespace_share", slow_whitespace_share);

TEST(WhitespaceShareTest, CountsEveryKindOfWhiteSpace) {
  EXPECT_EQ(measure_of("whitespace_share", " \t\r\n\u00A0\u2003\u2028\u3000"), 1.0);
  EXPECT_EQ(measure_of("whitespace_share", "a b c d"), 3.0 / 7);
  EXPECT_EQ(measure_of("whitespace_share", "\u200B\uFEFF"), 0.0);  // zero width is no white space
}

TEST(WhitespaceShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("whitespace_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
