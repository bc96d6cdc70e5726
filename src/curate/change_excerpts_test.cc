// SPDX-License-Identifier: Apache-2.0
#include "curate/change_excerpts.h"

#include <simdjson.h>

#include <gtest/gtest.h>

namespace headrace::curate {
namespace {

std::size_t points(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

TEST(ChangeExcerptsTest, ShowsShortTextsWhole) {
  struct Case {
    std::string before;
    std::string after;
  };
  for (const Case& c : {Case{"a  b", "a b"},
                        {"中\u200B文", "中文"},
                        {"", "x"},
                        {"x", ""},
                        {"aaa", "aa"},
                        {"aa", "aaa"},
                        {"é", "è"},
                        {"中文", "中斈"}}) {
    const ChangeExcerpts shown = change_excerpts(c.before, c.after);
    EXPECT_EQ(shown.before, c.before);
    EXPECT_EQ(shown.after, c.after);
  }
}

TEST(ChangeExcerptsTest, EmptyWhenNothingChanged) {
  const ChangeExcerpts shown = change_excerpts("same", "same");
  EXPECT_EQ(shown.before, "");
  EXPECT_EQ(shown.after, "");
}

TEST(ChangeExcerptsTest, IsBoundedAndKeepsContext) {
  std::string head;
  for (int i = 0; i < 1000; ++i) head += "中";
  const std::string tail = head;
  const ChangeExcerpts one = change_excerpts(head + "\r\n" + tail, head + "\n" + tail);
  EXPECT_EQ(points(one.before), 81U);  // context, \r, context
  EXPECT_EQ(points(one.after), 80U);
  EXPECT_NE(one.before.find('\r'), std::string::npos);
  const ChangeExcerpts all = change_excerpts(head, std::string(5000, 'x'));
  EXPECT_EQ(points(all.before), 200U);
  EXPECT_EQ(points(all.after), 200U);
  for (const std::string& text : {one.before, one.after, all.before, all.after})
    EXPECT_TRUE(simdjson::validate_utf8(text)) << text;
}

}  // namespace
}  // namespace headrace::curate
