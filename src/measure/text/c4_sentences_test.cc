// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_lines.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_c4_sentences(const SlowView& view) {
  std::size_t count = 0;
  for (const std::string& line : view.lines) {
    if (slow_c4_keeps(line)) count += slow_sentences(line).count;
  }
  return static_cast<double>(count);
}

HEADRACE_TEST_AGAINST_SLOW(C4SentencesTest, "c4_sentences", slow_c4_sentences);

TEST(C4SentencesTest, SentencesOfKeptLinesOnly) {
  EXPECT_EQ(
      measure_of("c4_sentences", "One is here. Two is here.\nHome. Menu\n\"Three?\" he asked."),
      4.0);
  EXPECT_EQ(measure_of("c4_sentences", "今天天气很好。走吧！\n首页\n好。"), 2.0);
  EXPECT_EQ(measure_of("c4_sentences", "First part. Then \"the rest\""), 2.0);
}

TEST(C4SentencesTest, NeverNull) {
  EXPECT_EQ(measure_of("c4_sentences", ""), 0.0);
  EXPECT_EQ(measure_of("c4_sentences", "Home"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
