// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_bullet_line_share(const SlowView& view) {
  if (view.lines.empty()) return std::nullopt;
  const std::u32string bullets = U"-*•‣⁃·●○◦▪▫■□◆◇★☆▶►➢";
  double count = 0;
  for (const std::string& line : view.lines) {
    if (bullets.find(static_cast<char32_t>(SlowView(line).code_points[0])) != bullets.npos) ++count;
  }
  return count / static_cast<double>(view.lines.size());
}

HEADRACE_TEST_AGAINST_SLOW(BulletLineShareTest, "bullet_line_share", slow_bullet_line_share);

TEST(BulletLineShareTest, SignsOfAllKinds) {
  EXPECT_EQ(measure_of("bullet_line_share", "• a\n- b\n* c\n● d\n·e\n■f\n★g\n➢h"), 1.0);
  EXPECT_EQ(measure_of("bullet_line_share", "  - a\n\n　　●特点\nText\n正文"), 0.5);
}

TEST(BulletLineShareTest, NumbersAndDashesAreNone) {
  EXPECT_EQ(measure_of("bullet_line_share", "1. a\n（一）总则\n① b\n— Bonjour.\n– so\n+1"), 0.0);
  EXPECT_EQ(measure_of("bullet_line_share", "a - b\n它•它"), 0.0);
}

TEST(BulletLineShareTest, NullWithoutLines) {
  EXPECT_EQ(measure_of("bullet_line_share", "\n \n"), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
