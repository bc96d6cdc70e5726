// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_han_share(const SlowView& view) {
  if (view.code_points.size() == 0) return std::nullopt;
  return static_cast<double>(view.count(kHan)) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(HanShareTest, "han_share", slow_han_share);

TEST(HanShareTest, CountsHanCharactersOnly) {
  EXPECT_EQ(measure_of("han_share", "汉字"), 1.0);
  EXPECT_EQ(measure_of("han_share", "汉a，1"), 0.25);
  EXPECT_EQ(measure_of("han_share", "日本のテレビ"), 2.0 / 6);
  EXPECT_EQ(measure_of("han_share", "人々〇𠀀"), 1.0);
  EXPECT_EQ(measure_of("han_share", "plain"), 0.0);
}

TEST(HanShareTest, NullForAnEmptyText) { EXPECT_EQ(measure_of("han_share", ""), std::nullopt); }

}  // namespace
}  // namespace headrace::measure
