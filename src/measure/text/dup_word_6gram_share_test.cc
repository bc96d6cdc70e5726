// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_dup_word_6gram_share(const SlowView& view) {
  if (view.words.size() < 6) return std::nullopt;
  return static_cast<double>(slow_duplicate_ngrams(view, 6)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(DupWord6gramShareTest, "dup_word_6gram_share",
                           slow_dup_word_6gram_share);

TEST(DupWord6gramShareTest, CountsTheCopies) {
  EXPECT_EQ(measure_of("dup_word_6gram_share", "a b c d e f. A B C D E F!"), 6.0 / 25);
  EXPECT_EQ(measure_of("dup_word_6gram_share", "一二三四五六，一二三四五六"), 6.0 / 13);
  EXPECT_EQ(measure_of("dup_word_6gram_share", "a b c d e x a b c d e"), 0.0);
}

TEST(DupWord6gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("dup_word_6gram_share", text), slow_dup_word_6gram_share(SlowView(text)));
  }
}

TEST(DupWord6gramShareTest, NullBelowSixWords) {
  for (const char* text : {"", "...", "🙂", "a b c d e"})
    EXPECT_EQ(measure_of("dup_word_6gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
