// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_dup_word_8gram_share(const SlowView& view) {
  if (view.words.size() < 8) return std::nullopt;
  return static_cast<double>(slow_duplicate_ngrams(view, 8)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(DupWord8gramShareTest, "dup_word_8gram_share",
                           slow_dup_word_8gram_share);

TEST(DupWord8gramShareTest, CountsTheCopies) {
  EXPECT_EQ(measure_of("dup_word_8gram_share", "a b c d e f g h. A B C D E F G H!"), 8.0 / 33);
  EXPECT_EQ(measure_of("dup_word_8gram_share", "一二三四五六七八，一二三四五六七八"), 8.0 / 17);
  EXPECT_EQ(measure_of("dup_word_8gram_share", "a b c d e f g x a b c d e f g"), 0.0);
}

TEST(DupWord8gramShareTest, LongTextsEqualTheSlowForm) {
  for (const std::string& text : long_texts()) {
    EXPECT_EQ(measure_of("dup_word_8gram_share", text), slow_dup_word_8gram_share(SlowView(text)));
  }
}

TEST(DupWord8gramShareTest, NullBelowEightWords) {
  for (const char* text : {"", "...", "🙂", "a b c d e f g"})
    EXPECT_EQ(measure_of("dup_word_8gram_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
