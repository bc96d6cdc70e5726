// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_median_word_length(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  std::vector<std::size_t> lengths;
  for (const std::string& word : view.words) lengths.push_back(length_of(word));
  std::sort(lengths.begin(), lengths.end());
  const std::size_t n = lengths.size();
  return static_cast<double>(lengths[(n - 1) / 2] + lengths[n / 2]) / 2;
}

HEADRACE_TEST_AGAINST_SLOW(MedianWordLengthTest, "median_word_length", slow_median_word_length);

TEST(MedianWordLengthTest, MiddleWord) {
  EXPECT_EQ(measure_of("median_word_length", "a bb ccccccccc"), 2.0);
  EXPECT_EQ(measure_of("median_word_length", "a bb cccc ddddd"), 3.0);
  EXPECT_EQ(measure_of("median_word_length", "一个 ab"), 1.0);
  EXPECT_EQ(measure_of("median_word_length", "ééé"), 3.0);
}

// One word may be longer than any table of lengths.
TEST(MedianWordLengthTest, WordsOfAnyLength) {
  const std::string longest(100000, 'x');
  EXPECT_EQ(measure_of("median_word_length", longest + " " + longest), 100000.0);
  EXPECT_EQ(measure_of("median_word_length", longest + " ab"), 50001.0);
  EXPECT_EQ(measure_of("median_word_length", longest + " ab cd"), 2.0);
}

TEST(MedianWordLengthTest, NullWithoutWords) {
  for (const char* text : {"", "...", "🙂"})
    EXPECT_EQ(measure_of("median_word_length", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
