// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_max_sentence_length(const SlowView& view) {
  if (view.sentence_ends.empty()) return std::nullopt;
  std::size_t longest = 0;
  std::size_t i = 0;
  for (const std::uint32_t end : view.sentence_ends) {
    while (view.offsets[i] < end && (view.classes[i] & kSpace) != 0) ++i;
    std::size_t length = 0;
    for (; view.offsets[i] < end; ++i) ++length;
    longest = std::max(longest, length);
  }
  return static_cast<double>(longest);
}

HEADRACE_TEST_AGAINST_SLOW(MaxSentenceLengthTest, "max_sentence_length", slow_max_sentence_length);

TEST(MaxSentenceLengthTest, WithoutTheWhiteSpaceInFront) {
  EXPECT_EQ(measure_of("max_sentence_length", "Go on.     Stop."), 6.0);
  EXPECT_EQ(measure_of("max_sentence_length", "今天很好。\n\n　　是吗？"), 5.0);
  EXPECT_EQ(measure_of("max_sentence_length", "One.\nHome\nNews\nAbout"), 15.0);
}

TEST(MaxSentenceLengthTest, NullWithoutSentences) {
  EXPECT_EQ(measure_of("max_sentence_length", ""), std::nullopt);
  EXPECT_EQ(measure_of("max_sentence_length", "🙂"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
