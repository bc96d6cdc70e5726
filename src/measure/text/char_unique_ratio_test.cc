// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "measure/measure.h"
#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_char_unique_ratio(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  const std::set<std::uint32_t> different(view.code_points.begin(), view.code_points.end());
  return static_cast<double>(view.code_points.size() - different.size()) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(CharUniqueRatioTest, "char_unique_ratio", slow_char_unique_ratio);

TEST(CharUniqueRatioTest, IsOneMinusDifferentPerAll) {
  EXPECT_EQ(measure_of("char_unique_ratio", "a"), 0.0);
  EXPECT_EQ(measure_of("char_unique_ratio", "aAaA"), 0.5);
  EXPECT_EQ(measure_of("char_unique_ratio", "汉字汉字"), 0.5);
  EXPECT_EQ(measure_of("char_unique_ratio", "哈哈哈哈哈哈哈哈哈哈"), 0.9);
  EXPECT_EQ(measure_of("char_unique_ratio", "𠀀𠀁𠀀𠀁"), 0.5);  // beyond U+1FFFF
}

// What was seen in one text must not count as seen in the next.
TEST(CharUniqueRatioTest, TextsDoNotShareWhatTheyHaveSeen) {
  TextViewBuilder builder;
  TextFactsBuilder facts;
  const Measure* measure = registry().find("char_unique_ratio");
  for (const char* text : {"汉字é𠀀a", "é汉a𠀀字", "汉汉ééaa𠀀𠀀字字"}) {
    const TextFacts& of = facts.build(builder.build(text));
    EXPECT_EQ(measure->of(of), of.view.counts.code_points == 5 ? 0.0 : 0.5) << text;
  }
}

// Why it is no measure of repetition: one text, longer and longer.
TEST(CharUniqueRatioTest, GrowsWithLengthAlone) {
  std::string text;
  double before = 0;
  for (const std::uint64_t length : {20, 100, 500, 5000}) {
    text.clear();
    for (std::uint64_t i = 0; i < length; ++i) text += static_cast<char>('a' + mix64(i) % 26);
    EXPECT_GT(*measure_of("char_unique_ratio", text), before);
    before = *measure_of("char_unique_ratio", text);
  }
  EXPECT_GT(before, 0.99);
}

TEST(CharUniqueRatioTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("char_unique_ratio", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
