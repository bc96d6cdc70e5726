// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_sentences(const SlowView& view) {
  return static_cast<double>(view.sentence_ends.size());
}

HEADRACE_TEST_AGAINST_SLOW(SentencesTest, "sentences", slow_sentences);

TEST(SentencesTest, CountsChineseAndEnglishEnds) {
  EXPECT_EQ(measure_of("sentences", "One. Two! Three? Four"), 4.0);
  EXPECT_EQ(measure_of("sentences", "一。二！三？四；五……六"), 6.0);
  EXPECT_EQ(measure_of("sentences", "Pi is 3.14 at example.com"), 1.0);
  EXPECT_EQ(measure_of("sentences", "He said \"Stop.\" Then left."), 2.0);
  EXPECT_EQ(measure_of("sentences", "真的吗?是的."), 2.0);
}

TEST(SentencesTest, ZeroWithoutMarksAndWords) {
  EXPECT_EQ(measure_of("sentences", ""), 0.0);
  EXPECT_EQ(measure_of("sentences", " ，、\n"), 0.0);
}

}  // namespace
}  // namespace headrace::measure
