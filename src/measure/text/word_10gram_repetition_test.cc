// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_word_10gram_repetition(const SlowView& view) {
  constexpr std::size_t kN = 10;
  if (view.words.size() < kN) return std::nullopt;
  std::vector<std::string> words = view.words;
  for (std::string& word : words) {
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  std::map<std::vector<std::string>, std::size_t> counts;
  for (auto first = words.begin(); first + kN <= words.end(); ++first)
    ++counts[{first, first + kN}];
  std::size_t repeated = 0;
  for (const auto& [run, count] : counts) repeated += count > 1 ? count : 0;
  return static_cast<double>(repeated) / static_cast<double>(words.size() - kN + 1);
}

HEADRACE_TEST_AGAINST_SLOW(Word10gramRepetitionTest, "word_10gram_repetition",
                           slow_word_10gram_repetition);

TEST(Word10gramRepetitionTest, EqualsItsSlowFormOnTextsThatRepeat) {
  expect_equals_slow_on(
      "word_10gram_repetition", slow_word_10gram_repetition,
      texts_of({"one Two three ", "天地玄黄宇宙洪荒日月", "a b c d e f g h i j. "}, 300));
}

TEST(Word10gramRepetitionTest, CountsAllOccurrences) {
  EXPECT_EQ(measure_of("word_10gram_repetition", "a b c d e f g h i j"), 0.0);
  EXPECT_EQ(measure_of("word_10gram_repetition", "a b c d e f g h i j A B C D E F G H I J"),
            2.0 / 11);
  EXPECT_EQ(measure_of("word_10gram_repetition", "天地玄黄宇宙洪荒日月，天地玄黄宇宙洪荒日月。"),
            2.0 / 11);
  EXPECT_EQ(measure_of("word_10gram_repetition", "x x x x x x x x x x x"), 1.0);
}

TEST(Word10gramRepetitionTest, NullBelowTenWords) {
  EXPECT_EQ(measure_of("word_10gram_repetition", ""), std::nullopt);
  EXPECT_EQ(measure_of("word_10gram_repetition", "one two three four five six seven eight nine"),
            std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
