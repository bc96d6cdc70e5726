// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_words(const SlowView& view) {
  return static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(WordsTest, "words", slow_words);

TEST(WordsTest, CountsRunsAndHanCharacters) {
  EXPECT_EQ(measure_of("words", "The cat sat."), 3.0);
  EXPECT_EQ(measure_of("words", "don't"), 2.0);
  EXPECT_EQ(measure_of("words", "今天天气"), 4.0);
  EXPECT_EQ(measure_of("words", "统计2024年GDP增长"), 7.0);
  EXPECT_EQ(measure_of("words", "नमस्ते दुनिया"), 2.0);
}

TEST(WordsTest, ZeroWithoutWords) {
  for (const char* text : {"", " \n", "！！？", "🙂 ❤️", "\u200B"})
    EXPECT_EQ(measure_of("words", text), 0.0);
}

}  // namespace
}  // namespace headrace::measure
