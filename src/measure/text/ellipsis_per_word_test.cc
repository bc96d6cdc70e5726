// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::size_t count_of(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += what.size()) ++count;
  return count;
}

std::optional<double> slow_ellipsis_per_word(const SlowView& view) {
  if (view.words.empty()) return std::nullopt;
  return static_cast<double>(count_of(view.text, "...") + count_of(view.text, "…")) /
         static_cast<double>(view.words.size());
}

HEADRACE_TEST_AGAINST_SLOW(EllipsisPerWordTest, "ellipsis_per_word", slow_ellipsis_per_word);

TEST(EllipsisPerWordTest, EllipsesPerWord) {
  EXPECT_EQ(measure_of("ellipsis_per_word", "And then... he left…"), 0.5);
  EXPECT_EQ(measure_of("ellipsis_per_word", "他说……"), 1.0);
  EXPECT_EQ(measure_of("ellipsis_per_word", "a.. b"), 0.0);
  EXPECT_EQ(measure_of("ellipsis_per_word", "a...."), 1.0);
  EXPECT_EQ(measure_of("ellipsis_per_word", "a...... b"), 1.0);
}

// Runs of dots over the end of a block of the view, begun anywhere before it.
TEST(EllipsisPerWordTest, RunsOfAnyLengthAnywhere) {
  for (std::size_t before = 50; before < 70; ++before) {
    for (std::size_t dots = 0; dots < 200; ++dots) {
      const std::string text = std::string(before, 'x') + std::string(dots, '.') + "…";
      ASSERT_EQ(measure_of("ellipsis_per_word", text), static_cast<double>(dots / 3 + 1)) << text;
    }
  }
}

TEST(EllipsisPerWordTest, NullWithoutWords) {
  for (const char* text : {"", "......", "🙂"})
    EXPECT_EQ(measure_of("ellipsis_per_word", text), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
