// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_periodic_run_share(const SlowView& view) {
  const std::vector<std::uint32_t>& c = view.code_points;
  if (c.empty()) return std::nullopt;
  std::vector<char> inside(c.size(), 0);
  for (std::size_t p = 1; p <= 64; ++p) {
    for (std::size_t i = p; i < c.size();) {
      std::size_t end = i;
      while (end < c.size() && c[end] == c[end - p]) ++end;
      const std::size_t length = end - i + p;
      if (end > i && length >= 4 * p && length >= 16)
        std::fill_n(inside.begin() + static_cast<std::ptrdiff_t>(i - p), length, 1);
      i = end + 1;
    }
  }
  return static_cast<double>(std::count(inside.begin(), inside.end(), 1)) /
         static_cast<double>(c.size());
}

HEADRACE_TEST_AGAINST_SLOW(PeriodicRunShareTest, "periodic_run_share", slow_periodic_run_share);

std::string repeat(const std::string& unit, std::uint64_t times) {
  std::string text;
  for (std::uint64_t i = 0; i < times; ++i) text += unit;
  return text;
}

// Periods beside, inside and over each other, cut anywhere.
TEST(PeriodicRunShareTest, EqualsItsSlowFormOnPeriodicTexts) {
  std::vector<std::string> texts;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    std::string text;
    for (std::uint64_t part = 0; part < 4; ++part) {
      const std::uint64_t draw = mix64(seed * 4 + part);
      std::string unit;
      for (std::uint64_t i = 0; i <= draw % 70; ++i)
        unit += static_cast<char>('a' + mix64(draw + i) % (1 + seed % 4));
      const std::string run = repeat(unit, 1 + draw / 100 % 7);
      text += run.substr(0, run.size() - draw / 1000 % unit.size());
      if (draw / 10000 % 3 == 0) text += repeat("汉", draw / 100000 % 30);
    }
    texts.push_back(text);
  }
  expect_equals_slow_on("periodic_run_share", slow_periodic_run_share, texts);
}

TEST(PeriodicRunShareTest, SeesWhatNgramFrequenciesKeep) {
  EXPECT_EQ(measure_of("periodic_run_share", repeat("Call now for a free offer today!!\n", 50)),
            1.0);
  EXPECT_EQ(measure_of("periodic_run_share", repeat("立即购买！", 100)), 1.0);
  EXPECT_EQ(measure_of("periodic_run_share", repeat("哈", 500)), 1.0);
}

TEST(PeriodicRunShareTest, NeedsFourPeriodsAndSixteenCodePoints) {
  EXPECT_EQ(measure_of("periodic_run_share", repeat("一二三四五", 3) + "一二三四"), 0.0);
  EXPECT_EQ(measure_of("periodic_run_share", repeat("一二三四五", 4)), 1.0);
  EXPECT_EQ(measure_of("periodic_run_share", repeat("-", 15)), 0.0);
  EXPECT_EQ(measure_of("periodic_run_share", repeat("-", 16)), 1.0);
  EXPECT_EQ(measure_of("periodic_run_share", "ab" + repeat("=", 38)), 0.95);
}

TEST(PeriodicRunShareTest, PeriodsUpTo64) {
  std::string unit;
  for (std::uint64_t i = 0; i < 64; ++i) unit += static_cast<char>('0' + i);
  EXPECT_EQ(measure_of("periodic_run_share", repeat(unit, 4)), 1.0);
  EXPECT_EQ(measure_of("periodic_run_share", repeat(unit + "!", 4)), 0.0);
}

TEST(PeriodicRunShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("periodic_run_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
