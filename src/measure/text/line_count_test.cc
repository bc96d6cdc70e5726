// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_line_count(const SlowView& view) {
  return static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(LineCountTest, "line_count", slow_line_count);

TEST(LineCountTest, LeavesOutBlankLines) {
  EXPECT_EQ(measure_of("line_count", ""), 0.0);
  EXPECT_EQ(measure_of("line_count", "\n \n\t\n\n"), 0.0);
  EXPECT_EQ(measure_of("line_count", "a"), 1.0);
  EXPECT_EQ(measure_of("line_count", "a\n"), 1.0);
  EXPECT_EQ(measure_of("line_count", "a\r\n\r\n　　\n二\n\n\nc"), 3.0);
}

}  // namespace
}  // namespace headrace::measure
