// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "measure/facts/flagged_finder.h"
#include "measure/measure.h"
#include "measure/testing/check.h"
#include "measure/testing/slow_phrases.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_flagged_words(const SlowView& view) {
  const FlaggedWords& words = built_in_flagged_words();
  return static_cast<double>(slow_phrases(view, words.entries, words.exceptions).count);
}

HEADRACE_TEST_AGAINST_SLOW(FlaggedWordsTest, "flagged_words", slow_flagged_words);

TEST(FlaggedWordsTest, EqualsItsSlowFormOnTextsOfEntries) {
  expect_equals_slow_on("flagged_words", slow_flagged_words, texts_of(flagged_word_pieces(), 500));
}

TEST(FlaggedWordsTest, MatchesWholeWordsInEnglish) {
  EXPECT_EQ(measure_of("flagged_words", ""), 0.0);
  EXPECT_EQ(measure_of("flagged_words", "Free  PORN: online\ncasino!"), 2.0);
  EXPECT_EQ(measure_of("flagged_words", "pornography, casinos, onlinecasino"), 0.0);
}

TEST(FlaggedWordsTest, MatchesInsideHanTextButNotInExceptions) {
  EXPECT_EQ(measure_of("flagged_words", "最新在线av，百家乐开户送彩金"), 3.0);
  EXPECT_EQ(measure_of("flagged_words", "性质、可能性和一切性能"), 0.0);
  EXPECT_EQ(measure_of("flagged_words", "他被富商包养"), 1.0);
  EXPECT_EQ(measure_of("flagged_words", "面包养殖与承包养鱼；一夜情况突变"), 0.0);
}

TEST(FlaggedWordsTest, TellsWhereTheyStand) {
  TextViewBuilder builder;
  const TextView& view = builder.build("他被富商包养；面包养殖。Online\n casino!");
  std::vector<std::string_view> found;
  for (const TextRange range : FlaggedFinder(WordLists::built_in()).find(view))
    found.push_back(view.bytes(range));
  EXPECT_EQ(found, (std::vector<std::string_view>{"包养", "Online\n casino"}));
}

TEST(FlaggedWordsTest, ListsOfOnesOwn) {
  WordLists lists;
  lists.flagged_words = {{"en", {"bad", "very bad"}, {"not bad"}}, {"zh", {"坏人"}, {"坏人家"}}};
  TextFactsBuilder facts(WordTables::make(lists));
  TextViewBuilder builder;
  const Measure* measure = registry().find("flagged_words");
  const auto of = [&](const char* text) { return measure->of(facts.build(builder.build(text))); };
  EXPECT_EQ(of("Very BAD, bad; not bad."), 2.0);
  EXPECT_EQ(of("坏人坏人家"), 1.0);
  EXPECT_EQ(of("online casino"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
