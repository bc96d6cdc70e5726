// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_alphabetic_word_share(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  std::size_t count = 0;
  for (const std::string& word : view.words) count += has_letter(word) ? 1 : 0;
  return static_cast<double>(count) / static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(AlphabeticWordShareTest, "alphabetic_word_share",
                           slow_alphabetic_word_share);

TEST(AlphabeticWordShareTest, WordsWithALetter) {
  EXPECT_EQ(measure_of("alphabetic_word_share", "In 2024 we had 3rd place"), 5.0 / 6);
  EXPECT_EQ(measure_of("alphabetic_word_share", "统计2024年"), 0.75);
  EXPECT_EQ(measure_of("alphabetic_word_share", "2024年"), 0.5);
  EXPECT_EQ(measure_of("alphabetic_word_share", "１２３ 456 ४५६"), 0.0);
  EXPECT_EQ(measure_of("alphabetic_word_share", "１２３x 456é ४५६क"), 1.0);
}

// Digits that run over the end of a block of the view.
TEST(AlphabeticWordShareTest, LongNumbers) {
  EXPECT_EQ(measure_of("alphabetic_word_share", std::string(300, '7')), 0.0);
  EXPECT_EQ(measure_of("alphabetic_word_share", std::string(300, '7') + "a 1"), 0.5);
  EXPECT_EQ(measure_of("alphabetic_word_share", std::string(64, '7') + "汉"), 0.5);
}

// A public bug report asked whether Chinese counts as letters, of a bound on the wrong side.
TEST(AlphabeticWordShareTest, ProseAndOrderNumbers) {
  EXPECT_GT(*measure_of("alphabetic_word_share", "今天天气很好，我们去公园散步。"), 0.8);
  EXPECT_LT(*measure_of("alphabetic_word_share", "Order 10023 4471 9920 33-2817 18"), 0.8);
}

TEST(AlphabeticWordShareTest, NullWithoutWords) {
  for (const char* text : {"", "...", "🙂"})
    EXPECT_EQ(measure_of("alphabetic_word_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
