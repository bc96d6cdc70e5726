// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_numeric_word_share(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  std::size_t count = 0;
  for (const std::string& word : view.words) count += has_letter(word) ? 0 : 1;
  return static_cast<double>(count) / static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(NumericWordShareTest, "numeric_word_share", slow_numeric_word_share);

TEST(NumericWordShareTest, WordsOfDigits) {
  EXPECT_EQ(measure_of("numeric_word_share", "In 2024 we had 3rd place"), 1.0 / 6);
  EXPECT_EQ(measure_of("numeric_word_share", "3.14"), 1.0);
  EXPECT_EQ(measure_of("numeric_word_share", "价格128元"), 0.25);
}

TEST(NumericWordShareTest, NullWithoutWords) {
  for (const char* text : {"", "...", "🙂"})
    EXPECT_EQ(measure_of("numeric_word_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
