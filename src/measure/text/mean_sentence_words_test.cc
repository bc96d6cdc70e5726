// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_mean_sentence_words(const SlowView& view) {
  if (view.sentence_ends.empty()) return std::nullopt;
  return static_cast<double>(view.words.size()) / static_cast<double>(view.sentence_ends.size());
}

HEADRACE_TEST_AGAINST_SLOW(MeanSentenceWordsTest, "mean_sentence_words", slow_mean_sentence_words);

TEST(MeanSentenceWordsTest, WordsPerSentence) {
  EXPECT_EQ(measure_of("mean_sentence_words", "Go on. Stop now at once."), 3.0);
  EXPECT_EQ(measure_of("mean_sentence_words", "今天很好。是吗？"), 3.0);
  EXPECT_EQ(measure_of("mean_sentence_words", "no mark at all"), 4.0);
  EXPECT_EQ(measure_of("mean_sentence_words", "！！"), 0.0);
}

TEST(MeanSentenceWordsTest, NullWithoutSentences) {
  EXPECT_EQ(measure_of("mean_sentence_words", ""), std::nullopt);
  EXPECT_EQ(measure_of("mean_sentence_words", "🙂"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
