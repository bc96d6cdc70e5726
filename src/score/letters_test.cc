// SPDX-License-Identifier: Apache-2.0
#include "score/letters.h"

#include <gtest/gtest.h>

namespace headrace::score {
namespace {

TEST(LettersTest, CountsLettersMarksAndHan) {
  const struct {
    const char* text;
    std::size_t letters;
  } kCases[] = {
      {"", 0},
      {"2024 10 11", 0},
      {"for i in range(3): print(i)", 17},
      {"hello China", 10},
      {"音楽会", 3},
      {"北京花园。", 4},
      {"Ünïcödé", 7},
      {"हिन्दी", 6},
      {"カタカナ", 4},
      {"𠀀", 1},
      {"😀+$", 0},
      {"\xE4\xB8", 0},
      {"a\x80\xFF\xC3(b", 2},
  };
  for (const auto& c : kCases) EXPECT_EQ(count_letters(c.text, 1000), c.letters) << c.text;
}

TEST(LettersTest, StopsCountingAtEnough) {
  EXPECT_EQ(count_letters("abcdef", 3), 3U);
  EXPECT_EQ(count_letters("abcdef", 0), 0U);
}

TEST(LettersTest, HanBecomesWords) {
  const struct {
    const char* text;
    const char* split;
  } kCases[] = {
      {"", ""},
      {"plain text", "plain text"},
      {"统计2024年", "统 计 2024 年 "},
      {"a中", "a 中 "},
      {"中 文", "中  文 "},
      {"ひらがな", "ひらがな"},
      {"\xE4\xB8", "\xE4\xB8"},
  };
  std::string out = "left from before";
  for (const auto& c : kCases) {
    split_han(c.text, &out);
    EXPECT_EQ(out, c.split);
  }
}

}  // namespace
}  // namespace headrace::score
