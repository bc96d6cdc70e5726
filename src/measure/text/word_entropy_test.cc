// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

// The sum in the order of the counts, so that it is the same to the bit.
std::optional<double> slow_word_entropy(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  std::map<std::string, std::uint64_t> counts;
  for (const std::string& word : folded_words(view)) ++counts[word];
  std::map<std::uint64_t, std::uint64_t> words_of_count;
  for (const auto& [word, count] : counts) ++words_of_count[count];
  double sum = 0;
  for (const auto& [count, words] : words_of_count) {
    const auto c = static_cast<double>(count);
    if (count > 1) sum += static_cast<double>(words) * (c * std::log2(c));
  }
  const auto n = static_cast<double>(view.words.size());
  return std::max(0.0, std::log2(n) - sum / n);
}

HEADRACE_TEST_AGAINST_SLOW(WordEntropyTest, "word_entropy", slow_word_entropy);

TEST(WordEntropyTest, BitsPerWord) {
  EXPECT_EQ(measure_of("word_entropy", "one two three four"), 2.0);
  EXPECT_EQ(measure_of("word_entropy", "a b A B"), 1.0);
  EXPECT_EQ(measure_of("word_entropy", "买买买买"), 0.0);
  EXPECT_EQ(measure_of("word_entropy", "a a b c"), 1.5);
  EXPECT_NEAR(*measure_of("word_entropy", "a a a"), 0.0, 1e-15);
}

TEST(WordEntropyTest, OneWordOfMany) {
  std::string text;
  for (int i = 0; i < 70000; ++i) text += "a b ";
  EXPECT_EQ(measure_of("word_entropy", text), 1.0);
}

TEST(WordEntropyTest, NullWithoutWords) {
  for (const char* text : {"", "...", "🙂"})
    EXPECT_EQ(measure_of("word_entropy", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
