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

void check(const std::vector<Case>& cases) {
  const auto step = make_step("control_chars", {}).value();
  std::string scratch;
  for (const Case& c : cases) {
    std::string text = c.before;
    EXPECT_EQ(step->apply(text, scratch), c.changes) << c.before;
    EXPECT_EQ(text, c.after);
    EXPECT_EQ(step->apply(text, scratch), 0U) << "again: " << c.before;
    EXPECT_EQ(text, c.after);
  }
}

TEST(ControlCharsTest, LeavesCleanTextAlone) {
  check({
      {"", "", 0},
      {"plain ASCII\twith a tab\nand a line", "plain ASCII\twith a tab\nand a line", 0},
      {"他说：“好！”（真的？）；价格１２３元，温度２５℃。",
       "他说：“好！”（真的？）；价格１２３元，温度２５℃。", 0},
      {"a real � stays, so does a private ", "a real � stays, so does a private ", 0},
      {"été, naïve, Straße, £5, 100 km", "été, naïve, Straße, £5, 100 km", 0},
      {"葛\U000E0100城", "葛\U000E0100城", 0},  // an ideographic variation sequence
      {"❤️ ☺︎", "❤️ ☺︎", 0},
  });
}

TEST(ControlCharsTest, RemovesControls) {
  check({
      {std::string("nul \0 inside", 12), "nul  inside", 1},
      {"bell\a back\b esc\x1B del\x7F", "bell back esc del", 4},
      {"c1 \u0080\u0099\u009F end", "c1  end", 3},
      {std::string("\0\0\0", 3), "", 3},
  });
}

TEST(ControlCharsTest, RemovesTerminalSequencesWhole) {
  check({
      {"\x1B[33m -- 王维\x1B[32m《积雨辋川庄作》\x1B[m\x1B[m", " -- 王维《积雨辋川庄作》", 4},
      {"\x1B[37;1mbold\x1B[0m \x1B[2Jclear \x1B[?25lcursor \x1B[0 qshape",
       "bold clear cursor shape", 5},
      {"an array[33m, a \x1B alone", "an array[33m, a  alone", 1},
      {"unfinished \x1B[33", "unfinished [33", 1},
      {"no letter \x1B[33\n", "no letter [33\n", 1},
      {"no letter \x1B[3中", "no letter [3中", 1},
      {"\x1B\x1B[0m[0m", "[0m", 2},
  });
}

TEST(ControlCharsTest, MakesLineEndsLineFeeds) {
  check({
      {"a\r\nb\r\n", "a\nb\n", 2},
      {"a\rb\r", "a\nb\n", 2},
      {"a\r\r\nb", "a\n\nb", 2},
      {"page\fpage\vline\u0085next", "page\npage\nline\nnext", 3},
  });
}

TEST(ControlCharsTest, RemovesWhatIsInvisible) {
  check({
      {"\uFEFFstart and mid\uFEFFdle", "start and middle", 2},
      {"zero\u200Bwidth\u2060joiner soft\u00ADhyphen", "zerowidthjoiner softhyphen", 3},
      {"\u202Eevil\u202C \u2066x\u2069 \u200E\u200F\u061Cmarks", "evil x marks", 7},
      {"f\u2061(x) \uFFF9base\uFFFAruby\uFFFB", "f(x) baseruby", 4},
      {"non\uFFFEchar\uFDD0acter", "noncharacter", 2},
      {"hidden\U000E0041\U000E0042\U000E007F tags", "hidden tags", 3},
  });
}

TEST(ControlCharsTest, KeepsJoinersInsideEmoji) {
  check({
      {"👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🧑🏽‍🚀 🐻‍❄️",
       "👩‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🧑🏽‍🚀 🐻‍❄️", 0},
      {"🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F!",
       "🏴\U000E0067\U000E0062\U000E0065\U000E006E\U000E0067\U000E007F!", 0},
      {"🏴\U000E0067\U000E0062 unfinished", "🏴 unfinished", 2},
      {"👩\u200D", "👩", 1},
      {"👩\u200D\u200D💻", "👩\u200D💻", 1},
      {"👩\u200D\u200B💻", "👩\u200D💻", 1},
      {"a\u200Db", "ab", 1},
      {"中\u200C文\u200D字", "中文字", 2},
      {"\u200D\u200C", "", 2},
  });
}

TEST(ControlCharsTest, KeepsJoinersInsideWords) {
  check({
      {"می\u200Cخواهم کتاب\u200Cها", "می\u200Cخواهم کتاب\u200Cها", 0},
      {"क्\u200Dष और क्\u200Cष", "क्\u200Dष और क्\u200Cष", 0},
      {"ന്\u200D", "ന്\u200D", 0},  // a Malayalam chillu ends in a joiner
      {"ශ්\u200Dරී", "ශ්\u200Dරී", 0},
      {"ه\u200D", "ه\u200D", 0},
      {"می\u200C خواهم", "می خواهم", 1},
      {"می\u200C\u200Cخواهم", "می\u200Cخواهم", 1},
      {"a\u200Cb", "ab", 1},
  });
}

}  // namespace
}  // namespace headrace::normalize
