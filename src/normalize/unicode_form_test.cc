// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

// Chinese punctuation made ASCII cannot be undone: only nfkc, asked for by name, may do it.
TEST(UnicodeFormTest, FormsOfChineseAndLatin) {
  struct Case {
    std::string before;
    std::string nfc;
    std::string nfkc;
  };
  const Case cases[] = {
      {"他说：“好！”（真的？）；价格１２３元，温度２５℃。",
       "他说：“好！”（真的？）；价格１２３元，温度２５℃。",
       "他说:“好!”(真的?);价格123元,温度25°C。"},
      {"x² + y₃ ≠ ½ ﬁn", "x² + y₃ ≠ ½ ﬁn", "x2 + y3 ≠ 1⁄2 fin"},
      {"ｈｅｌｌｏ　世界", "ｈｅｌｌｏ　世界", "hello 世界"},
      {"カﾀｶﾅ", "カﾀｶﾅ", "カタカナ"},
      {"é and e\u0301", "é and é", "é and é"},
      {"plain", "plain", "plain"},
      {"", "", ""},
      {"각 from \u1100\u1161\u11A8", "각 from 각", "각 from 각"},
  };
  std::string scratch;
  for (const Case& c : cases) {
    for (const bool nfkc : {false, true}) {
      const auto step = make_step("unicode_form", {{"form", nfkc ? "nfkc" : "nfc"}}).value();
      const std::string& expected = nfkc ? c.nfkc : c.nfc;
      std::string text = c.before;
      EXPECT_EQ(step->apply(text, scratch) > 0, c.before != expected) << c.before;
      EXPECT_EQ(text, expected);
      EXPECT_EQ(step->apply(text, scratch), 0U) << c.before;
    }
  }
}

TEST(UnicodeFormTest, IsNfcByDefault) {
  std::string text = "e\u0301，";
  std::string scratch;
  EXPECT_EQ(make_step("unicode_form", {}).value()->apply(text, scratch), 1U);
  EXPECT_EQ(text, "é，");
}

}  // namespace
}  // namespace headrace::normalize
