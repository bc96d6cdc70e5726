// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/internal/html_values.h"
#include "normalize/internal/html_weight.h"

namespace headrace::normalize::internal {
namespace {

void expect(bool (*test)(std::string_view), bool expected,
            std::initializer_list<std::string_view> texts) {
  for (const std::string_view text : texts) EXPECT_EQ(test(text), expected) << text;
}

TEST(HtmlPhrasesTest, Dates) {
  expect(has_date, true,
         {"2024-03-01", "发布于2024年3月", "on March 3rd, 2024", "Mar. 3, 2024", "3 March 2024",
          "3. Mar 2024", "3/4/2024", "Dec 31, at 1999"});
  expect(has_date, false, {"", "in 2024", "1234-5", "March of the 3", "x3/4/24", "maybe 3, or 4"});
}

TEST(HtmlPhrasesTest, Legal) {
  expect(is_legal, true,
         {"© 2024 Someone", "Copyright 2019", "All Rights Reserved.", "This site uses cookies.",
          "京ICP备05000000号", "未经本网书面授权不得转载", "版权所有"});
  expect(is_legal, false,
         {"copyright law", "© Someone", "the cookies are baked", "未经证实的消息"});
}

TEST(HtmlPhrasesTest, MetaTailAndCaptions) {
  expect(begins_as_meta, true,
         {"By John Doe", "» Published today", "(Photo from there)", "© someone", "来源：新华社",
          "【责任编辑", "Source: x"});
  expect(begins_as_meta, false, {"By 2024", "Byron", "The source: x", "photograph", ""});
  expect(begins_as_tail, true,
         {"Related stories", "► Read more", "Comments", "Comment (3)", "相关新闻：", "【打印】"});
  expect(begins_as_tail, false, {"Commentary", "Unrelated", "相关", "reading", ""});
  expect(ends_as_caption, true,
         {"A view (Photo: J. Doe)", "x (Picture credit: AP)", "Getty Images", "J. Doe/Reuters."});
  expect(ends_as_caption, false, {"A view (Photo)", "(Photo: x) and more", "images", ""});
}

TEST(HtmlWeightTest, CountsWideCharactersThreefold) {
  struct Case {
    std::string_view text;
    std::uint32_t weight;
    std::uint32_t marks;
  };
  const Case cases[] = {{"", 0, 0},        {"abc", 3, 0},      {"é", 1, 0},         {"中文", 6, 0},
                        {"a, b. c", 7, 2}, {"1.5:3", 5, 0},    {"好，吗？", 12, 2}, {"한글", 6, 0},
                        {"“yes.”", 6, 1},  {"wait… no", 8, 1}, {"😀", 1, 0}};
  for (const Case& c : cases) {
    EXPECT_EQ(weigh(c.text).weight, c.weight) << c.text;
    EXPECT_EQ(weigh(c.text).marks, c.marks) << c.text;
  }
}

TEST(HtmlWeightTest, FoldsLines) {
  const std::pair<std::string, std::string> cases[] = {{"  a  b \n c ", "a b\nc"},
                                                       {"\n\n", ""},
                                                       {"a\n \n b", "a\nb"},
                                                       {"标　题", "标　题"},
                                                       {"　　段落", "段落"},
                                                       {"a\u00A0b", "a b"},
                                                       {"", ""}};
  for (const auto& [before, after] : cases) {
    std::string text = "kept " + before;
    fold_lines(&text, 5);
    EXPECT_EQ(text, "kept " + after) << before;
  }
}

}  // namespace
}  // namespace headrace::normalize::internal
