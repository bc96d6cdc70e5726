// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_mean_sentence_length(const SlowView& view) {
  if (view.sentence_ends.size() == 0) return std::nullopt;
  return static_cast<double>(view.code_points.size()) /
         static_cast<double>(view.sentence_ends.size());
}

HEADRACE_TEST_AGAINST_SLOW(MeanSentenceLengthTest, "mean_sentence_length",
                           slow_mean_sentence_length);

TEST(MeanSentenceLengthTest, CodePointsPerSentence) {
  EXPECT_EQ(measure_of("mean_sentence_length", "Go on. Stop."), 6.0);
  EXPECT_EQ(measure_of("mean_sentence_length", "今天很好。是吗？"), 4.0);
  EXPECT_EQ(measure_of("mean_sentence_length", "没有标点的一行"), 7.0);
}

TEST(MeanSentenceLengthTest, NullWithoutSentences) {
  EXPECT_EQ(measure_of("mean_sentence_length", ""), std::nullopt);
  EXPECT_EQ(measure_of("mean_sentence_length", " \n\t"), std::nullopt);
  EXPECT_EQ(measure_of("mean_sentence_length", "🙂🙂"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
