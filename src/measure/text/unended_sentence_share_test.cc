// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_lines.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_unended_sentence_share(const SlowView& view) {
  SlowSentences all;
  for (const std::string& line : view.lines) {
    const SlowSentences of_line = slow_sentences(line);
    all.count += of_line.count;
    all.unended += of_line.unended;
  }
  if (all.count == 0) return std::nullopt;
  return static_cast<double>(all.unended) / static_cast<double>(all.count);
}

HEADRACE_TEST_AGAINST_SLOW(UnendedSentenceShareTest, "unended_sentence_share",
                           slow_unended_sentence_share);

TEST(UnendedSentenceShareTest, HeadingsAndMenusAreUnended) {
  EXPECT_EQ(measure_of("unended_sentence_share", "Title\nOne. Two! Three"), 0.5);
  EXPECT_EQ(measure_of("unended_sentence_share", "首页\n今天很好。走吧！\n“走。”"), 0.25);
  EXPECT_EQ(measure_of("unended_sentence_share", "One.\nTwo."), 0.0);
  EXPECT_EQ(measure_of("unended_sentence_share", "Home | News"), 1.0);
}

TEST(UnendedSentenceShareTest, WithoutAWordItIsNoSentence) {
  EXPECT_EQ(measure_of("unended_sentence_share", "One. —\n***"), 0.0);
  EXPECT_EQ(measure_of("unended_sentence_share", "One. 2"), 0.5);
}

TEST(UnendedSentenceShareTest, ADotInsideDoesNotEndIt) {
  EXPECT_EQ(measure_of("unended_sentence_share", "It is 3.14"), 1.0);
  EXPECT_EQ(measure_of("unended_sentence_share", "It is 3.14."), 0.0);
}

TEST(UnendedSentenceShareTest, NullWithoutSentences) {
  EXPECT_EQ(measure_of("unended_sentence_share", ""), std::nullopt);
  EXPECT_EQ(measure_of("unended_sentence_share", "🙂\n---"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
