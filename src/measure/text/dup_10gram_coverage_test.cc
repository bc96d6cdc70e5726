// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "measure/facts/code_point_runs.h"
#include "measure/testing/check.h"
#include "record/testing/texts.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_dup_10gram_coverage(const SlowView& view) {
  constexpr std::size_t kN = 10;
  const std::size_t n = view.code_points.size();
  if (n < kN) return std::nullopt;
  std::set<std::vector<std::uint32_t>> seen;
  std::vector<char> covered(n, 0);
  std::size_t piece = 0;
  for (std::size_t i = 0; i + kN <= n; ++i) {
    if (view.offsets[i] / kRunPieceBytes != piece) seen.clear();
    piece = view.offsets[i] / kRunPieceBytes;
    if (view.offsets[i + kN - 1] / kRunPieceBytes != piece) continue;
    const auto first = view.code_points.begin() + static_cast<std::ptrdiff_t>(i);
    if (!seen.emplace(first, first + kN).second)
      std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(i), kN, 1);
  }
  return static_cast<double>(std::count(covered.begin(), covered.end(), 1)) /
         static_cast<double>(n);
}

HEADRACE_TEST_AGAINST_SLOW(Dup10gramCoverageTest, "dup_10gram_coverage", slow_dup_10gram_coverage);

std::string repeat(const std::string& unit, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += unit;
  return text;
}

TEST(Dup10gramCoverageTest, CoversTheCopiesNotTheFirst) {
  EXPECT_EQ(measure_of("dup_10gram_coverage", "0123456789"), 0.0);
  EXPECT_EQ(measure_of("dup_10gram_coverage", "01234567890123456789"), 0.5);
  EXPECT_EQ(measure_of("dup_10gram_coverage", "一二三四五六七八九十。一二三四五六七八九十！"),
            10.0 / 22);
  EXPECT_EQ(measure_of("dup_10gram_coverage", "012345678 012345678!"), 0.0);  // nine and a blank
  EXPECT_EQ(measure_of("dup_10gram_coverage", "012345678!012345678!"), 0.5);
}

// The rule against repetition of character n-grams that other tools use keeps all of these.
TEST(Dup10gramCoverageTest, SeesPeriodicText) {
  EXPECT_EQ(measure_of("dup_10gram_coverage", repeat("立即购买！", 100)), 0.99);
  EXPECT_EQ(measure_of("dup_10gram_coverage", repeat("Call now for a free offer today!! \n", 50)),
            49.0 / 50);
  EXPECT_EQ(measure_of("dup_10gram_coverage", repeat("哈", 500)), 499.0 / 500);
  EXPECT_EQ(measure_of("dup_10gram_coverage", repeat("=", 100)), 0.99);
}

TEST(Dup10gramCoverageTest, NullBelowTenCodePoints) {
  EXPECT_EQ(measure_of("dup_10gram_coverage", ""), std::nullopt);
  EXPECT_EQ(measure_of("dup_10gram_coverage", "123456789"), std::nullopt);
  EXPECT_EQ(measure_of("dup_10gram_coverage", "九个汉字不够一串儿"), std::nullopt);
}

TEST(Dup10gramCoverageTest, LongTextsEqualTheSlowForm) {
  std::string text;
  for (std::uint64_t i = 0; text.size() < 300000; ++i) {
    const std::string piece = random_text(i, 400);
    text += piece;
    if (i % 3 == 0) text += piece;
  }
  const std::optional<double> value = measure_of("dup_10gram_coverage", text);
  EXPECT_EQ(value, slow_dup_10gram_coverage(SlowView(text)));
  EXPECT_GT(*value, 0.2);
}

// Five pieces, each with a first run.
TEST(Dup10gramCoverageTest, LongTextOfOneCharacter) {
  EXPECT_EQ(measure_of("dup_10gram_coverage", repeat("哈", 100000)), 99995.0 / 100000);
}

TEST(Dup10gramCoverageTest, PiecesAreMeasuredApart) {
  const std::size_t piece = kRunPieceBytes;
  std::string text(piece, '\0');
  for (std::size_t i = 0; i < piece; ++i) text[i] = static_cast<char>('0' + mix64(i) % 64);
  const std::string copy = text.substr(0, 1000);
  EXPECT_EQ(measure_of("dup_10gram_coverage", text), 0.0);
  EXPECT_EQ(measure_of("dup_10gram_coverage", text + copy), 0.0);
  EXPECT_EQ(measure_of("dup_10gram_coverage", text + copy + copy),
            1000.0 / static_cast<double>(piece + 2000));
}

}  // namespace
}  // namespace headrace::measure
