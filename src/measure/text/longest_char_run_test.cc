// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_longest_char_run(const SlowView& view) {
  std::size_t longest = 0, run = 0;
  for (std::size_t i = 0; i < view.code_points.size(); ++i) {
    run = i > 0 && view.code_points[i] == view.code_points[i - 1] ? run + 1 : 1;
    longest = std::max(longest, run);
  }
  return static_cast<double>(longest);
}

HEADRACE_TEST_AGAINST_SLOW(LongestCharRunTest, "longest_char_run", slow_longest_char_run);

TEST(LongestCharRunTest, EqualsItsSlowFormOnRuns) {
  expect_equals_slow_on(
      "longest_char_run", slow_longest_char_run,
      texts_of({"a", "aa", std::string(64, 'b'), std::string(63, 'c'), "汉", "汉汉汉", "é", "𠀀𠀀",
                " ", std::string(1, '\0'), std::string(130, '=')},
               1500));
}

TEST(LongestCharRunTest, CountsCodePoints) {
  EXPECT_EQ(measure_of("longest_char_run", ""), 0.0);
  EXPECT_EQ(measure_of("longest_char_run", "abc"), 1.0);
  EXPECT_EQ(measure_of("longest_char_run", "Hello..."), 3.0);
  EXPECT_EQ(measure_of("longest_char_run", "哈哈哈哈，好"), 4.0);
  EXPECT_EQ(measure_of("longest_char_run", std::string(1000, '-')), 1000.0);
  EXPECT_EQ(measure_of("longest_char_run", std::string(64, '\0')), 64.0);
}

}  // namespace
}  // namespace headrace::measure
