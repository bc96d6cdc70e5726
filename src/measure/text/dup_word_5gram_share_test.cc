// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_dup_word_5gram_share(const SlowView& view) {
  if (view.words.size() < 5) return std::nullopt;
  return static_cast<double>(slow_duplicate_ngrams(view, 5)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(DupWord5gramShareTest, "dup_word_5gram_share",
                           slow_dup_word_5gram_share);

TEST(DupWord5gramShareTest, CountsTheCopies) {
  EXPECT_EQ(measure_of("dup_word_5gram_share", "a b c d e. A B C D E!"), 5.0 / 21);
  EXPECT_EQ(measure_of("dup_word_5gram_share", "一二三四五，一二三四五"), 5.0 / 11);
  EXPECT_EQ(measure_of("dup_word_5gram_share", "a b c d x a b c d"), 0.0);
}

// Two walks over one text: the copy at d is not met, because the walk jumps over it.
TEST(DupWord5gramShareTest, GoesOnBehindACopy) {
  EXPECT_EQ(measure_of("dup_word_5gram_share", "a a a a a a a a a a a"), 10.0 / 21);
  EXPECT_EQ(measure_of("dup_word_5gram_share", "a b c d e f a b c d e f a b c d e f"), 10.0 / 35);
}

TEST(DupWord5gramShareTest, SequencesNotJoinedStrings) {
  EXPECT_EQ(measure_of("dup_word_5gram_share", "1 11 2 3 4, 11 1 2 3 4"), 0.0);
}

TEST(DupWord5gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("dup_word_5gram_share", text), slow_dup_word_5gram_share(SlowView(text)));
  }
}

TEST(DupWord5gramShareTest, NullBelowFiveWords) {
  for (const char* text : {"", "...", "🙂", "a b c d"})
    EXPECT_EQ(measure_of("dup_word_5gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
