// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_letter_share(const SlowView& view) {
  if (view.code_points.size() == 0) return std::nullopt;
  return static_cast<double>(view.count(kLetter) + view.count(kHan)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(LetterShareTest, "letter_share", slow_letter_share);

TEST(LetterShareTest, HanCharactersAreLetters) {
  EXPECT_EQ(measure_of("letter_share", "汉字"), 1.0);
  EXPECT_EQ(measure_of("letter_share", "ab 1"), 0.5);
  EXPECT_EQ(measure_of("letter_share", "हिन्दी"), 1.0);  // marks belong to their letters
  EXPECT_EQ(measure_of("letter_share", "12, "), 0.0);
}

TEST(LetterShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("letter_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
