// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_dup_word_9gram_share(const SlowView& view) {
  if (view.words.size() < 9) return std::nullopt;
  return static_cast<double>(slow_duplicate_ngrams(view, 9)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(DupWord9gramShareTest, "dup_word_9gram_share",
                           slow_dup_word_9gram_share);

TEST(DupWord9gramShareTest, CountsTheCopies) {
  EXPECT_EQ(measure_of("dup_word_9gram_share", "a b c d e f g h i. A B C D E F G H I!"), 9.0 / 37);
  EXPECT_EQ(measure_of("dup_word_9gram_share", "一二三四五六七八九，一二三四五六七八九"), 9.0 / 19);
  EXPECT_EQ(measure_of("dup_word_9gram_share", "a b c d e f g h x a b c d e f g h"), 0.0);
}

TEST(DupWord9gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("dup_word_9gram_share", text), slow_dup_word_9gram_share(SlowView(text)));
  }
}

TEST(DupWord9gramShareTest, NullBelowNineWords) {
  for (const char* text : {"", "...", "🙂", "a b c d e f g h"})
    EXPECT_EQ(measure_of("dup_word_9gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
