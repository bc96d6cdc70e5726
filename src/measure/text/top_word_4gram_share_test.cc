// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_top_word_4gram_share(const SlowView& view) {
  if (view.words.size() < 4) return std::nullopt;
  return static_cast<double>(slow_top_ngram(view, 4)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(TopWord4gramShareTest, "top_word_4gram_share",
                           slow_top_word_4gram_share);

TEST(TopWord4gramShareTest, LengthTimesCount) {
  EXPECT_EQ(measure_of("top_word_4gram_share", "a b c d. e A B C D"), 14.0 / 18);
  EXPECT_EQ(measure_of("top_word_4gram_share", "a b c d e"), 7.0 / 9);
  EXPECT_EQ(measure_of("top_word_4gram_share", "恭喜发财！恭喜发财！"), 14.0 / 10);
}

TEST(TopWord4gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("top_word_4gram_share", text), slow_top_word_4gram_share(SlowView(text)));
  }
}

TEST(TopWord4gramShareTest, NullBelowFourWords) {
  for (const char* text : {"", "...", "🙂", "一 two 三"})
    EXPECT_EQ(measure_of("top_word_4gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
