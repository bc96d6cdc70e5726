// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_newlines_per_word(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  const auto newlines = std::count(view.text.begin(), view.text.end(), '\n');
  return static_cast<double>(newlines) / static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(NewlinesPerWordTest, "newlines_per_word", slow_newlines_per_word);

TEST(NewlinesPerWordTest, BlankLinesCount) {
  EXPECT_EQ(measure_of("newlines_per_word", "one two\nthree\n\nfour"), 0.75);
  EXPECT_EQ(measure_of("newlines_per_word", "首页\n关于\n"), 0.5);
  EXPECT_EQ(measure_of("newlines_per_word", "one line"), 0.0);
}

TEST(NewlinesPerWordTest, NullWithoutWords) {
  EXPECT_EQ(measure_of("newlines_per_word", ""), std::nullopt);
  EXPECT_EQ(measure_of("newlines_per_word", "！\n？\n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
