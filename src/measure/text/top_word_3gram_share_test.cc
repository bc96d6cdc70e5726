// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_top_word_3gram_share(const SlowView& view) {
  if (view.words.size() < 3) return std::nullopt;
  return static_cast<double>(slow_top_ngram(view, 3)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(TopWord3gramShareTest, "top_word_3gram_share",
                           slow_top_word_3gram_share);

TEST(TopWord3gramShareTest, LengthTimesCount) {
  EXPECT_EQ(measure_of("top_word_3gram_share", "a bc d a bc d"), 12.0 / 13);
  EXPECT_EQ(measure_of("top_word_3gram_share", "a bc d e f"), 6.0 / 10);
  EXPECT_EQ(measure_of("top_word_3gram_share", "多喝水，多喝水！"), 10.0 / 8);
}

TEST(TopWord3gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("top_word_3gram_share", text), slow_top_word_3gram_share(SlowView(text)));
  }
}

TEST(TopWord3gramShareTest, NullBelowThreeWords) {
  for (const char* text : {"", "...", "🙂", "one two"})
    EXPECT_EQ(measure_of("top_word_3gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
