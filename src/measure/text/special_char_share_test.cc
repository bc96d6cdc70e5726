// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <gtest/gtest.h>

#include "measure/internal/character_flags.h"
#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

// The list beyond ASCII is a table, which the comparison with Data-Juicer itself checks.
bool is_special(std::uint32_t c) {
  if (c < 0x80)
    return std::string_view("\t\n\v\f\r").find(static_cast<char>(c)) != std::string_view::npos ||
           (c >= ' ' && c < 127 && !(c >= 'A' && c <= 'Z') && !(c >= 'a' && c <= 'z'));
  return c < internal::kFlaggedCodePoints &&
         (internal::character_flags()[c] & internal::kSpecialChar) != 0;
}

std::optional<double> slow_special_char_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  return static_cast<double>(
             std::count_if(view.code_points.begin(), view.code_points.end(), is_special)) /
         static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(SpecialCharShareTest, "special_char_share", slow_special_char_share);

TEST(SpecialCharShareTest, CountsWhatStandsInTheList) {
  EXPECT_EQ(measure_of("special_char_share", "Ab"), 0.0);
  EXPECT_EQ(measure_of("special_char_share", "a, 1\n"), 0.8);
  EXPECT_EQ(measure_of("special_char_share", "一上士"), 1.0);
  EXPECT_EQ(measure_of("special_char_share", "二下工"), 0.0);
  EXPECT_EQ(measure_of("special_char_share", "，（）！"), 1.0);
  EXPECT_EQ(measure_of("special_char_share", "。"), 1.0);
  EXPECT_EQ(measure_of("special_char_share", "🙂♥½"), 1.0);
  EXPECT_EQ(measure_of("special_char_share", std::string_view("\0\x7F", 2)), 0.0);
}

TEST(SpecialCharShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("special_char_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
