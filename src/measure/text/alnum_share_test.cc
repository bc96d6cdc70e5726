// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_alnum_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  return static_cast<double>(view.count(kLetter) + view.count(kHan) + view.count(kDigit)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(AlnumShareTest, "alnum_share", slow_alnum_share);

TEST(AlnumShareTest, CountsLettersHanAndDigits) {
  EXPECT_EQ(measure_of("alnum_share", "a1 b2"), 0.8);
  EXPECT_EQ(measure_of("alnum_share", "共3人。"), 0.75);
  EXPECT_EQ(measure_of("alnum_share", "____"), 0.0);
  EXPECT_EQ(measure_of("alnum_share", "हिन्दी"), 1.0);
  EXPECT_EQ(measure_of("alnum_share", "½²"), 0.0);
}

TEST(AlnumShareTest, NullForAnEmptyText) { EXPECT_EQ(measure_of("alnum_share", ""), std::nullopt); }

}  // namespace
}  // namespace headrace::measure
