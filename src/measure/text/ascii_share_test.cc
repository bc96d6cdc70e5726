// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_ascii_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  const auto ascii = std::count_if(view.code_points.begin(), view.code_points.end(),
                                   [](std::uint32_t c) { return c < 0x80; });
  return static_cast<double>(ascii) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(AsciiShareTest, "ascii_share", slow_ascii_share);

TEST(AsciiShareTest, CountsCodePointsNotBytes) {
  EXPECT_EQ(measure_of("ascii_share", "Plain text.\n"), 1.0);
  EXPECT_EQ(measure_of("ascii_share", "naïve"), 0.8);
  EXPECT_EQ(measure_of("ascii_share", "用C++写"), 0.6);
  EXPECT_EQ(measure_of("ascii_share", "汉字🙂"), 0.0);
}

TEST(AsciiShareTest, NullForAnEmptyText) { EXPECT_EQ(measure_of("ascii_share", ""), std::nullopt); }

}  // namespace
}  // namespace headrace::measure
