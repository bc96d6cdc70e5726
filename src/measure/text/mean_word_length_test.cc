// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_mean_word_length(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  std::size_t sum = 0;
  for (const std::string& word : view.words) sum += length_of(word);
  return static_cast<double>(sum) / static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(MeanWordLengthTest, "mean_word_length", slow_mean_word_length);

TEST(MeanWordLengthTest, CodePointsPerWord) {
  EXPECT_EQ(measure_of("mean_word_length", "The cat sat, surely."), 15.0 / 4);
  EXPECT_EQ(measure_of("mean_word_length", "don't"), 2.0);
  EXPECT_EQ(measure_of("mean_word_length", "今天天气 fine"), 8.0 / 5);
  EXPECT_EQ(measure_of("mean_word_length", "élan vital"), 4.5);
}

TEST(MeanWordLengthTest, NullWithoutWords) {
  for (const char* text : {"", " \n", "！！？", "🙂"})
    EXPECT_EQ(measure_of("mean_word_length", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
