// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_control_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  std::size_t found = 0;
  for (const std::uint32_t c : view.code_points) {
    const bool control = c < 0x20 || (c >= 0x7F && c < 0xA0);
    found += control && !(c >= 9 && c <= 13) && c != 0x85 ? 1 : 0;
  }
  return static_cast<double>(found) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(ControlShareTest, "control_share", slow_control_share);

TEST(ControlShareTest, EqualsItsSlowFormOnControlCharacters) {
  std::vector<std::string> pieces;
  for (char c = 0; c < 33; ++c) pieces.emplace_back(1, c);
  for (char c = 0; c < 33; ++c) pieces.push_back({'\xC2', static_cast<char>(0x80 + c)});
  pieces.emplace_back("\x7F");
  expect_equals_slow_on("control_share", slow_control_share, texts_of(pieces, 300));
}

TEST(ControlShareTest, WhiteSpaceIsNone) {
  EXPECT_EQ(measure_of("control_share", "a\tb\r\n\v\f\u0085"), 0.0);
  EXPECT_EQ(measure_of("control_share", std::string_view("\0\x1B[m", 4)), 0.5);
  EXPECT_EQ(measure_of("control_share", "汉\u0093字\x7F"), 0.5);
}

TEST(ControlShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("control_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
