// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_dup_word_10gram_share(const SlowView& view) {
  if (view.words.size() < 10) return std::nullopt;
  return static_cast<double>(slow_duplicate_ngrams(view, 10)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(DupWord10gramShareTest, "dup_word_10gram_share",
                           slow_dup_word_10gram_share);

TEST(DupWord10gramShareTest, CountsTheCopies) {
  EXPECT_EQ(measure_of("dup_word_10gram_share", "a b c d e f g h i j. A B C D E F G H I J!"),
            10.0 / 41);
  EXPECT_EQ(measure_of("dup_word_10gram_share", "一二三四五六七八九十，一二三四五六七八九十"),
            10.0 / 21);
  EXPECT_EQ(measure_of("dup_word_10gram_share", "a b c d e f g h i x a b c d e f g h i"), 0.0);
}

TEST(DupWord10gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("dup_word_10gram_share", text),
              slow_dup_word_10gram_share(SlowView(text)));
  }
}

TEST(DupWord10gramShareTest, NullBelowTenWords) {
  for (const char* text : {"", "...", "🙂", "a b c d e f g h i"})
    EXPECT_EQ(measure_of("dup_word_10gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
