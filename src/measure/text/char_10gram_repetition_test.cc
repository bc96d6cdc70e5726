// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_char_10gram_repetition(const SlowView& view) {
  constexpr std::size_t kN = 10;
  if (view.code_points.size() < kN) return std::nullopt;
  std::map<std::vector<std::uint32_t>, std::size_t> counts;
  for (auto first = view.code_points.begin(); first + kN <= view.code_points.end(); ++first)
    ++counts[{first, first + kN}];
  std::vector<std::size_t> sizes;
  for (const auto& [run, count] : counts) {
    if (count > 1) sizes.push_back(count);
  }
  std::sort(sizes.rbegin(), sizes.rend());
  std::size_t most = 0;
  while ((most + 1) * (most + 1) <= counts.size()) ++most;
  sizes.resize(std::min(sizes.size(), most));
  return static_cast<double>(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0})) /
         static_cast<double>(view.code_points.size() - kN + 1);
}

HEADRACE_TEST_AGAINST_SLOW(Char10gramRepetitionTest, "char_10gram_repetition",
                           slow_char_10gram_repetition);

TEST(Char10gramRepetitionTest, EqualsItsSlowFormOnTextsThatRepeat) {
  expect_equals_slow_on(
      "char_10gram_repetition", slow_char_10gram_repetition,
      texts_of({"立即购买！", "Call now! ", "abc", "=", "哈", "0123456789"}, 500));
}

std::string repeat(const std::string& unit, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += unit;
  return text;
}

TEST(Char10gramRepetitionTest, TakesTheMostFrequentRuns) {
  EXPECT_EQ(measure_of("char_10gram_repetition", "0123456789"), 0.0);
  EXPECT_EQ(measure_of("char_10gram_repetition", repeat("哈", 20)), 1.0);
  // 20 code points of period 10: ten different runs of 11, one of them twice.
  EXPECT_EQ(measure_of("char_10gram_repetition", "01234567890123456789"), 2.0 / 11);
}

// The hole: the published figures of periodic text, all below the usual bound of 0.5.
TEST(Char10gramRepetitionTest, KeepsPeriodicText) {
  EXPECT_NEAR(
      *measure_of("char_10gram_repetition", repeat("Call now for a free offer today!!\n", 50)),
      0.15, 0.01);
  EXPECT_NEAR(*measure_of("char_10gram_repetition", repeat("立即购买！", 100)), 0.40, 0.01);
}

TEST(Char10gramRepetitionTest, NullBelowTenCodePoints) {
  EXPECT_EQ(measure_of("char_10gram_repetition", ""), std::nullopt);
  EXPECT_EQ(measure_of("char_10gram_repetition", "九个汉字不够一串儿"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
