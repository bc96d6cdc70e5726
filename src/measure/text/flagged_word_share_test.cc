// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/measure.h"
#include "measure/testing/check.h"
#include "measure/testing/slow_phrases.h"

namespace headrace::measure {
namespace {

struct BuiltIn {
  std::vector<std::string> entries;
  std::vector<std::string> exceptions;
};

const BuiltIn& built_in() {
  static const BuiltIn all = [] {
    BuiltIn made;
    for (const WordList& list : WordLists::built_in().flagged_words) {
      made.entries.insert(made.entries.end(), list.entries.begin(), list.entries.end());
      made.exceptions.insert(made.exceptions.end(), list.exceptions.begin(), list.exceptions.end());
    }
    return made;
  }();
  return all;
}

std::vector<std::string> pieces() {
  std::vector<std::string> all = built_in().entries;
  all.insert(all.end(), built_in().exceptions.begin(), built_in().exceptions.end());
  for (const char* gap : {" ", "  ", "\n", "，", "s", "的", "-", "A", "面"}) {
    for (int i = 0; i < 20; ++i) all.emplace_back(gap);
  }
  return all;
}

std::optional<double> slow(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  return static_cast<double>(slow_phrases(view, built_in().entries, built_in().exceptions).words) /
         static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(FlaggedWordShareTest, "flagged_word_share", slow);

TEST(FlaggedWordShareTest, EqualsItsSlowFormOnTextsOfEntries) {
  expect_equals_slow_on("flagged_word_share", slow, texts_of(pieces(), 500));
}

TEST(FlaggedWordShareTest, CountsWordsInsidePhrases) {
  EXPECT_EQ(measure_of("flagged_word_share", "play online casino now"), 0.5);
  EXPECT_EQ(measure_of("flagged_word_share", "玩百家乐"), 0.75);
  EXPECT_EQ(measure_of("flagged_word_share", "a quiet evening"), 0.0);
}

TEST(FlaggedWordShareTest, NullWithoutWords) {
  EXPECT_EQ(measure_of("flagged_word_share", ""), std::nullopt);
  EXPECT_EQ(measure_of("flagged_word_share", "……"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
