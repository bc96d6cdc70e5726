// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "measure/testing/slow_words.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_stop_word_share(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  return static_cast<double>(slow_stop_words(view).tokens) / static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(StopWordShareTest, "stop_word_share", slow_stop_word_share);

TEST(StopWordShareTest, StopWordsPerWord) {
  EXPECT_EQ(measure_of("stop_word_share", "The cat and the dog"), 0.6);
  EXPECT_EQ(measure_of("stop_word_share", "我的书和你的书"), 5.0 / 7);
  EXPECT_EQ(measure_of("stop_word_share", "buy cheap shoes online"), 0.0);
}

TEST(StopWordShareTest, NullWithoutWords) {
  for (const char* text : {"", "...", "🙂"})
    EXPECT_EQ(measure_of("stop_word_share", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
