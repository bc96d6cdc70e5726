// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_max_word_length(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  std::size_t longest = 0;
  for (const std::string& word : view.words) longest = std::max(longest, length_of(word));
  return static_cast<double>(longest);
}

HEADRACE_TEST_AGAINST_SLOW(MaxWordLengthTest, "max_word_length", slow_max_word_length);

TEST(MaxWordLengthTest, LongestWord) {
  EXPECT_EQ(measure_of("max_word_length", "a bb ccc"), 3.0);
  EXPECT_EQ(measure_of("max_word_length", "中文"), 1.0);
  EXPECT_EQ(measure_of("max_word_length", "中文 ééé ab"), 3.0);
  EXPECT_EQ(measure_of("max_word_length", "a " + std::string(70000, 'z')), 70000.0);
}

TEST(MaxWordLengthTest, NullWithoutWords) {
  for (const char* text : {"", "...", "🙂"})
    EXPECT_EQ(measure_of("max_word_length", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
