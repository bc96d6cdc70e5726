// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_distinct_word_share(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  const std::vector<std::string> words = folded_words(view);
  const std::set<std::string> distinct(words.begin(), words.end());
  return static_cast<double>(distinct.size()) / static_cast<double>(words.size());
}

HEADRACE_TEST_AGAINST_SLOW(DistinctWordShareTest, "distinct_word_share", slow_distinct_word_share);

TEST(DistinctWordShareTest, DifferentWordsPerWord) {
  EXPECT_EQ(measure_of("distinct_word_share", "the cat and the dog"), 0.8);
  EXPECT_EQ(measure_of("distinct_word_share", "The the THE tHe"), 0.25);
  EXPECT_EQ(measure_of("distinct_word_share", "人人为我，我为人人"), 3.0 / 8);
  EXPECT_EQ(measure_of("distinct_word_share", "É é"), 1.0);  // only ASCII is folded
}

TEST(DistinctWordShareTest, LongTextsEqualTheSlowForm) {
  std::string text;
  for (std::uint64_t i = 0; i < 100000; ++i) text += std::to_string(i * i % 77777) + " ";
  EXPECT_EQ(measure_of("distinct_word_share", text), slow_distinct_word_share(SlowView(text)));
}

TEST(DistinctWordShareTest, NullWithoutWords) {
  for (const char* text : {"", "...", "🙂"})
    EXPECT_EQ(measure_of("distinct_word_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
