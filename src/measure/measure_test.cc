// SPDX-License-Identifier: Apache-2.0
#include "measure/measure.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace headrace::measure {
namespace {

// Public bug reports with one cause: ratios of a text that has no words (or nothing at all).
TEST(MeasureSetTest, TextsWithoutWordsGiveFiniteNumbersOrNull) {
  const std::vector<std::string_view> texts = {"",
                                               "   \n\t",
                                               "！！！？？？",
                                               "https://a.example/b?c=d",
                                               "🙂🙂🙂",
                                               "\u200B\u200B",
                                               "123",
                                               "。",
                                               {"\0", 1},
                                               "a"};
  TextViewBuilder builder;
  MeasureSet set;
  std::vector<double> values(set.size());
  for (const std::string_view text : texts) {
    set.of(builder.build(text), values);
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_FALSE(std::isinf(values[i])) << registry().all()[i].name << " of '" << text << "'";
    }
    EXPECT_FALSE(std::isnan(values[0])) << "code_points is never null";
  }
}

// Issue data-juicer#1059: words that two steps shared were kept under a key without the field, so
// one step saw the words of the other's field.
TEST(MeasureSetTest, TextsDoNotShareTheirWords) {
  struct Record {
    std::string_view title;
    std::string_view text;
    double title_words;
    double text_words;
  };
  const std::vector<Record> records = {
      {"two words", "this body has exactly six words", 2, 6},
      {"a title of five words", "short", 5, 1},
      {"four words in title", "and five words in body", 4, 5},
  };
  const std::vector<std::string> names = registry().names();
  const auto words =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), "words") - names.begin());
  TextViewBuilder builder;
  MeasureSet shared;
  const auto count = [&](MeasureSet& set, std::string_view text) {
    std::vector<double> values(set.size());
    set.of(builder.build(text), values);
    return values[words];
  };
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < records.size(); ++i) {
    for (const bool title_first : {true, false}) {
      MeasureSet own;
      for (const bool title : {title_first, !title_first}) {
        const std::string_view text = title ? records[i].title : records[i].text;
        const double expected = title ? records[i].title_words : records[i].text_words;
        EXPECT_EQ(count(shared, text), expected) << text;
        EXPECT_EQ(count(own, text), expected) << text;
      }
    }
    if (count(shared, records[i].title) >= 3 && count(shared, records[i].text) >= 3)
      kept.push_back(i);
  }
  EXPECT_EQ(kept, std::vector<std::size_t>{2});
}

// The same for lists of words: sets that look for different words stand side by side.
TEST(MeasureSetTest, SetsDoNotShareTheirLists) {
  WordLists lists;
  lists.flagged_words = {{"en", {"body"}, {}}};
  MeasureSet built_in;
  MeasureSet own(WordTables::make(lists));
  const std::vector<std::string> names = registry().names();
  const auto flagged = static_cast<std::size_t>(
      std::find(names.begin(), names.end(), "flagged_words") - names.begin());
  TextViewBuilder builder;
  const TextView& view = builder.build("a body in an online casino");
  std::vector<double> values(own.size());
  for (int round = 0; round < 2; ++round) {
    own.of(view, values);
    EXPECT_EQ(values[flagged], 1.0);
    built_in.of(view, values);
    EXPECT_EQ(values[flagged], 1.0);
    own.of(builder.build("an online casino"), values);
    EXPECT_EQ(values[flagged], 0.0);
    builder.build("a body in an online casino");
  }
}

TEST(RegistryTest, FindsByName) {
  ASSERT_NE(registry().find("line_count"), nullptr);
  EXPECT_EQ(registry().find("line_count")->unit, "lines");
  EXPECT_EQ(registry().find("nothing"), nullptr);
  EXPECT_EQ(registry().all().size(), MeasureSet().size());
}

}  // namespace
}  // namespace headrace::measure
