// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_digit_share(const SlowView& view) {
  if (view.code_points.size() == 0) return std::nullopt;
  return static_cast<double>(view.count(kDigit)) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(DigitShareTest, "digit_share", slow_digit_share);

TEST(DigitShareTest, CountsDecimalDigitsOfEveryScript) {
  EXPECT_EQ(measure_of("digit_share", "1234"), 1.0);
  EXPECT_EQ(measure_of("digit_share", "a1 ２"), 0.5);
  EXPECT_EQ(measure_of("digit_share", "٣४"), 1.0);
  EXPECT_EQ(measure_of("digit_share", "二〇²½①Ⅷ"), 0.0);
}

TEST(DigitShareTest, NullForAnEmptyText) { EXPECT_EQ(measure_of("digit_share", ""), std::nullopt); }

}  // namespace
}  // namespace headrace::measure
