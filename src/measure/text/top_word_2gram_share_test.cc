// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_top_word_2gram_share(const SlowView& view) {
  if (view.words.size() < 2) return std::nullopt;
  return static_cast<double>(slow_top_ngram(view, 2)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(TopWord2gramShareTest, "top_word_2gram_share",
                           slow_top_word_2gram_share);

TEST(TopWord2gramShareTest, LengthTimesCount) {
  EXPECT_EQ(measure_of("top_word_2gram_share", "a bc d a bc"), 8.0 / 11);
  EXPECT_EQ(measure_of("top_word_2gram_share", "the cat, the cat. The cat!"), 21.0 / 26);
  EXPECT_EQ(measure_of("top_word_2gram_share", "你好，你好"), 6.0 / 5);
  EXPECT_EQ(measure_of("top_word_2gram_share", "a a a a"), 9.0 / 7);  // three that overlap
}

TEST(TopWord2gramShareTest, FirstOfEqualsWins) {
  EXPECT_EQ(measure_of("top_word_2gram_share", "aa b c"), 4.0 / 6);
  EXPECT_EQ(measure_of("top_word_2gram_share", "a b c dd ee a b dd ee"), 6.0 / 21);
}

TEST(TopWord2gramShareTest, SequencesNotJoinedStrings) {
  EXPECT_EQ(measure_of("top_word_2gram_share", "1 11, 11 1"), 4.0 / 10);
}

TEST(TopWord2gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("top_word_2gram_share", text), slow_top_word_2gram_share(SlowView(text)));
  }
}

TEST(TopWord2gramShareTest, NullBelowTwoWords) {
  for (const char* text : {"", "...", "🙂", "one"})
    EXPECT_EQ(measure_of("top_word_2gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
