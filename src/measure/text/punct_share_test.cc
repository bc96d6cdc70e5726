// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_punct_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  return static_cast<double>(view.count(kPunct)) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(PunctShareTest, "punct_share", slow_punct_share);

TEST(PunctShareTest, CountsMarksOfBothLanguages) {
  EXPECT_EQ(measure_of("punct_share", "Yes, no."), 0.25);
  EXPECT_EQ(measure_of("punct_share", "你好，世界。"), 2.0 / 6);
  EXPECT_EQ(measure_of("punct_share", "“《…》”"), 1.0);
  EXPECT_EQ(measure_of("punct_share", "a#b@c"), 0.0);
}

TEST(PunctShareTest, NullForAnEmptyText) { EXPECT_EQ(measure_of("punct_share", ""), std::nullopt); }

}  // namespace
}  // namespace headrace::measure
