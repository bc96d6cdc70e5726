// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_replacement_char_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  return static_cast<double>(
             std::count(view.code_points.begin(), view.code_points.end(), 0xFFFDU)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(ReplacementCharShareTest, "replacement_char_share",
                           slow_replacement_char_share);

TEST(ReplacementCharShareTest, CountsReplacementCharacters) {
  EXPECT_EQ(measure_of("replacement_char_share", "caf\uFFFD"), 0.25);
  EXPECT_EQ(measure_of("replacement_char_share", "\uFFFD\uFFFD"), 1.0);
  EXPECT_EQ(measure_of("replacement_char_share", "锟斤拷\uFFFC\uFFFE?"), 0.0);
}

TEST(ReplacementCharShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("replacement_char_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
