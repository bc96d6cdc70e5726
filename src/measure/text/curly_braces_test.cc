// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_curly_braces(const SlowView& view) {
  return static_cast<double>(std::count(view.text.begin(), view.text.end(), '{') +
                             std::count(view.text.begin(), view.text.end(), '}'));
}

HEADRACE_TEST_AGAINST_SLOW(CurlyBracesTest, "curly_braces", slow_curly_braces);

TEST(CurlyBracesTest, CountsBoth) {
  EXPECT_EQ(measure_of("curly_braces", ""), 0.0);
  EXPECT_EQ(measure_of("curly_braces", "int f() { return {}; }"), 4.0);
  EXPECT_EQ(measure_of("curly_braces", "集合｛一，二｝（三）"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
