// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_special_symbol_share(const SlowView& view) {
  if (view.code_points.size() == 0) return std::nullopt;
  return static_cast<double>(view.count_symbols()) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(SpecialSymbolShareTest, "special_symbol_share",
                           slow_special_symbol_share);

TEST(SpecialSymbolShareTest, ProseLiesFarBelowTheUsualBound) {
  const double chinese = *measure_of(
      "special_symbol_share",
      "“你好，”他说（笑）：《红楼梦》——曹雪芹著……好吃～、真的！是；吗？列夫·托尔斯泰。");
  EXPECT_EQ(chinese, 0.0);
  const double english = *measure_of(
      "special_symbol_share",
      "\"Well,\" he said -- quietly; it's (almost) done: the ‘end’, isn’t it? Yes/no… [sic]");
  EXPECT_EQ(english, 0.0);
}

TEST(SpecialSymbolShareTest, CountsSignsSymbolsAndInvisibles) {
  EXPECT_EQ(measure_of("special_symbol_share", "#@*&%\\_+=<>|~^`$€×→■🙂①²"), 1.0);
  EXPECT_EQ(measure_of("special_symbol_share", "＃＠＊＆％＼＿•§"), 1.0);
  EXPECT_EQ(measure_of("special_symbol_share", "\u200B\u200B"), 1.0);
  EXPECT_EQ(measure_of("special_symbol_share", "a+b=c"), 0.4);
  EXPECT_EQ(measure_of("special_symbol_share", "价格：¥5"), 0.2);
}

TEST(SpecialSymbolShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("special_symbol_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
