// SPDX-License-Identifier: Apache-2.0
#include "measure/words/word_list.h"

#include <gtest/gtest.h>

namespace headrace::measure {
namespace {

using Entries = std::vector<std::string>;

TEST(WordListTest, TakesOneEntryALineWithoutComments) {
  const auto list =
      parse_word_list("\xEF\xBB\xBF# mine\r\nThe\r\n\n  of \t course  # here\nthe\n的\n",
                      WordListKind::kStopWords, "en", "x.txt");
  ASSERT_TRUE(list.has_value()) << list.error().message();
  EXPECT_EQ(list->language, "en");
  EXPECT_EQ(list->entries, (Entries{"the", "of course", "的"}));
  EXPECT_EQ(list->exceptions, Entries{});
}

TEST(WordListTest, FlaggedListsHaveExceptions) {
  const auto list = parse_word_list("包养\n! 面包养\nc#\n", WordListKind::kFlaggedWords, "zh", "x");
  ASSERT_FALSE(list.has_value());  // "c#" ends with a mark
  const auto good = parse_word_list("包养\n! 面包养", WordListKind::kFlaggedWords, "zh", "x");
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(good->entries, Entries{"包养"});
  EXPECT_EQ(good->exceptions, Entries{"面包养"});
}

TEST(WordListTest, FaultsNameFileAndLine) {
  const struct {
    std::string text;
    WordListKind kind;
    std::string part;
  } cases[] = {
      {"a\n\xFF\n", WordListKind::kStopWords, "list.txt:2: not UTF-8"},
      {"a\n\n中\xE6\x96", WordListKind::kStopWords, "list.txt:3: not UTF-8"},
      {"...\n", WordListKind::kStopWords, "list.txt:1: '...' holds neither"},
      {"a\n(b)\n", WordListKind::kStopWords, "list.txt:2: '(b)' begins with a mark"},
      {"b!\n", WordListKind::kStopWords, "list.txt:1: 'b!' ends with a mark"},
      {"赌博\n性\n", WordListKind::kFlaggedWords, "list.txt:2: '性' is a single Han character"},
  };
  for (const auto& c : cases) {
    const auto list = parse_word_list(c.text, c.kind, "zh", "list.txt");
    ASSERT_FALSE(list.has_value()) << c.text;
    EXPECT_NE(list.error().message().find(c.part), std::string::npos) << list.error().message();
  }
  EXPECT_TRUE(parse_word_list("性", WordListKind::kStopWords, "zh", "x").has_value());
  EXPECT_TRUE(parse_word_list("", WordListKind::kStopWords, "zh", "x").has_value());
}

TEST(WordListsTest, BuiltInListsAreWhole) {
  const WordLists lists = WordLists::built_in();
  ASSERT_EQ(lists.flagged_words.size(), 2U);
  for (const WordList& list : lists.flagged_words) {
    EXPECT_GT(list.entries.size(), 60U) << list.language;
    // What names an exception must hold what it excepts, or it is a slip of the pen.
    for (const std::string& exception : list.exceptions) {
      bool holds = false;
      for (const std::string& entry : list.entries)
        holds = holds || exception.find(entry) != std::string::npos;
      EXPECT_TRUE(holds) << exception;
    }
  }
}

TEST(WordListsTest, OwnListsReplaceThoseOfTheirLanguage) {
  std::vector<WordList> lists = {{"en", {"a"}, {}}, {"zh", {"的"}, {}}};
  WordLists::replace(&lists, {"zh", {"了"}, {}});
  WordLists::replace(&lists, {"de", {"und"}, {}});
  ASSERT_EQ(lists.size(), 3U);
  EXPECT_EQ(lists[0].entries, Entries{"a"});
  EXPECT_EQ(lists[1].entries, Entries{"了"});
  EXPECT_EQ(lists[2].language, "de");
}

}  // namespace
}  // namespace headrace::measure
