// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"

#include <vector>

#include <gtest/gtest.h>

namespace headrace {
namespace {

TEST(QuoteTest, WhatATerminalObeysIsEscaped) {
  const struct {
    std::string_view text;
    std::string_view shown;
  } kCases[] = {
      {"", ""},
      {"plain, 中文, é, 😀", "plain, 中文, é, 😀"},
      {"a\x1B[31mb", "a\\x1B[31mb"},
      {"a\nb\tc\x7F", "a\\x0Ab\\x09c\\x7F"},
      {"\xC2\x9B"
       "31m",
       "\\xC2\\x9B31m"},         // CSI as one character
      {"\xC2\xA0", "\xC2\xA0"},  // no control character
      {"\xFF\xFE", "\\xFF\\xFE"},
      {"\xE4\xB8", "\\xE4\\xB8"},           // cut off
      {"\xED\xA0\x80", "\\xED\\xA0\\x80"},  // a surrogate
      {std::string_view("\0x", 2), "\\x00x"},
  };
  for (const auto& one : kCases) {
    EXPECT_EQ(escape_controls(one.text), one.shown);
    EXPECT_EQ(excerpt(one.text), one.shown);
  }
  EXPECT_EQ(escape_controls("a\nb\t\x1B", "\n\t"), "a\nb\t\\x1B");
}

TEST(QuoteTest, AnExcerptEndsAndTellsHowMuchThereWas) {
  EXPECT_EQ(excerpt("abcdef", 6), "abcdef");
  EXPECT_EQ(excerpt("abcdef", 5), "abcde… (6 bytes)");
  EXPECT_EQ(excerpt("中文中文", 3), "中文中… (12 bytes)");
  EXPECT_LT(excerpt(std::string(50'000'000, 'x')).size(), 120U);
  EXPECT_LT(excerpt(std::string(1000, '\x01')).size(), 400U);
}

TEST(QuoteTest, ListsAreCut) {
  EXPECT_EQ(excerpts(std::vector<std::string>{}), "");
  EXPECT_EQ(excerpts(std::vector<std::string>{"a", "b"}), "a, b");
  EXPECT_EQ(excerpts(std::vector<std::string>{"a", "b\n", "c", "d"}, 2), "a, b\\x0A and 2 more");
}

}  // namespace
}  // namespace headrace
