// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_upper_share(const SlowView& view) {
  const std::size_t letters = view.count(kLetter) + view.count(kHan);
  if (letters == 0) return std::nullopt;
  return static_cast<double>(view.count(kUpper)) / static_cast<double>(letters);
}

HEADRACE_TEST_AGAINST_SLOW(UpperShareTest, "upper_share", slow_upper_share);

TEST(UpperShareTest, CountsCapitalsPerLetter) {
  EXPECT_EQ(measure_of("upper_share", "Hello World"), 0.2);
  EXPECT_EQ(measure_of("upper_share", "BUY NOW 50% OFF!!!"), 1.0);
  EXPECT_EQ(measure_of("upper_share", "我在IBM工作"), 3.0 / 7);
  EXPECT_EQ(measure_of("upper_share", "ÄÖüß"), 0.5);
}

TEST(UpperShareTest, NullWithoutLetters) {
  EXPECT_EQ(measure_of("upper_share", ""), std::nullopt);
  EXPECT_EQ(measure_of("upper_share", "12:30 ..."), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
