// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_code_points(const SlowView& view) {
  return static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(CodePointsTest, "code_points", slow_code_points);

TEST(CodePointsTest, CountsCharactersNotBytes) {
  EXPECT_EQ(measure_of("code_points", ""), 0.0);
  EXPECT_EQ(measure_of("code_points", "a b\n"), 4.0);
  EXPECT_EQ(measure_of("code_points", "汉字。"), 3.0);
  EXPECT_EQ(measure_of("code_points", "e\u0301"), 2.0);  // a combining mark is one of its own
  EXPECT_EQ(measure_of("code_points", "🙂"), 1.0);
}

}  // namespace
}  // namespace headrace::measure
