// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_dup_word_7gram_share(const SlowView& view) {
  if (view.words.size() < 7) return std::nullopt;
  return static_cast<double>(slow_duplicate_ngrams(view, 7)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(DupWord7gramShareTest, "dup_word_7gram_share",
                           slow_dup_word_7gram_share);

TEST(DupWord7gramShareTest, CountsTheCopies) {
  EXPECT_EQ(measure_of("dup_word_7gram_share", "a b c d e f g. A B C D E F G!"), 7.0 / 29);
  EXPECT_EQ(measure_of("dup_word_7gram_share", "一二三四五六七，一二三四五六七"), 7.0 / 15);
  EXPECT_EQ(measure_of("dup_word_7gram_share", "a b c d e f x a b c d e f"), 0.0);
}

TEST(DupWord7gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("dup_word_7gram_share", text), slow_dup_word_7gram_share(SlowView(text)));
  }
}

TEST(DupWord7gramShareTest, NullBelowSevenWords) {
  for (const char* text : {"", "...", "🙂", "a b c d e f"})
    EXPECT_EQ(measure_of("dup_word_7gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
