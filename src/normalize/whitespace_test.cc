// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

struct Case {
  std::string before;
  std::string after;
  std::size_t changes;
};

void check(const std::string& mode, const std::vector<Case>& cases) {
  const auto step = make_step("whitespace", {{"mode", mode}}).value();
  std::string scratch;
  for (const Case& c : cases) {
    std::string text = c.before;
    EXPECT_EQ(step->apply(text, scratch), c.changes) << c.before;
    EXPECT_EQ(text, c.after);
    EXPECT_EQ(step->apply(text, scratch), 0U) << "again: " << c.before;
    EXPECT_EQ(text, c.after);
  }
}

TEST(WhitespaceTest, LeavesCleanTextAlone) {
  for (const std::string text :
       {"", "word", "two words", "a\nb\n\nc", "标题　副标题\n他说：“好！”", "a\tb\t\tc",
        "def f(x):\n    if x:\n\treturn 1\n\n    return 2", "    first\n    second"}) {
    check("paragraphs", {{text, text, 0}});
  }
}

TEST(WhitespaceTest, FoldsBlanksInsideALine) {
  check("paragraphs", {
                          {"two  words   here", "two words here", 3},
                          {"a\u00A0b", "a b", 1},
                          {"a\u00A0 b", "a b", 1},
                          {"10\u202F000\u00A0km", "10 000 km", 2},
                          {"name \t age", "name\tage", 2},
                          {"a\t \tb", "a\t\tb", 1},
                          {"标题　　副标题", "标题　副标题", 1},
                          {"标题　 副标题", "标题　副标题", 1},
                          {"| 名称   | 数量 |", "| 名称 | 数量 |", 2},
                      });
}

TEST(WhitespaceTest, TrimsLinesAndText) {
  check("paragraphs", {
                          {"  word  ", "word", 4},
                          {"\n\n word\n\n", "word", 5},
                          {"a \nb\t\nc　\nd", "a\nb\nc\nd", 3},
                          {" \n　\t", "", 4},
                          {"　　第一段。\n　　第二段。", "第一段。\n第二段。", 4},
                          {"第一段。\n 　第二段。", "第一段。\n第二段。", 2},
                          {"  one\n  two ", "  one\n  two", 1},
                          {"  one\ntwo", "one\ntwo", 2},
                          {"  one\n　two", "one\ntwo", 3},
                      });
}

TEST(WhitespaceTest, KeepsParagraphsAndIndentation) {
  check("paragraphs", {
                          {"a\n\n\nb", "a\n\nb", 1},
                          {"a\n \n\t\n\n  b", "a\n\n  b", 4},
                          {"a\r\nb\r\n\r\nc", "a\nb\n\nc", 3},
                          {"a\rb\u2028c\u2029d\fe", "a\nb\nc\n\nd\ne", 4},
                          {"x:\n\u00A0\u00A0y", "x:\n  y", 2},
                          {"if x:\n    y  # why", "if x:\n    y # why", 1},
                      });
}

TEST(WhitespaceTest, SingleLine) {
  check("single_line", {
                           {"", "", 0},
                           {"one line　only", "one line　only", 0},
                           {" a\n\n b\tc\r\nd ", "a b c d", 7},
                           {"标题　　副标题\n　　正文", "标题　副标题 正文", 4},
                           {"\n", "", 1},
                       });
}

// Patterns are looked for in blocks: a run may lie anywhere across their edges.
TEST(WhitespaceTest, FindsRunsAcrossBlocks) {
  const auto step = make_step("whitespace", {}).value();
  std::string scratch;
  for (std::size_t before = 0; before < 100; ++before) {
    for (const std::string run : {"  ", "\t\n", "　　", "\n\n\n", "\r\n"}) {
      std::string text = std::string(before, 'x') + "y" + run + "z" + std::string(40, 'x');
      EXPECT_GT(step->apply(text, scratch), 0U) << before << run;
      EXPECT_EQ(step->apply(text, scratch), 0U) << before << run;
    }
  }
}

}  // namespace
}  // namespace headrace::normalize
