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

std::optional<double> slow_flagged_word_share(const SlowView& view) {
  const FlaggedWords& words = built_in_flagged_words();
  if (view.words.empty()) return std::nullopt;
  return static_cast<double>(slow_phrases(view, words.entries, words.exceptions).words) /
         static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(FlaggedWordShareTest, "flagged_word_share", slow_flagged_word_share);

TEST(FlaggedWordShareTest, EqualsItsSlowFormOnTextsOfEntries) {
  expect_equals_slow_on("flagged_word_share", slow_flagged_word_share,
                        texts_of(flagged_word_pieces(), 500));
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
