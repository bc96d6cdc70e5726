// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/internal/encodings.h"

namespace headrace::normalize::internal {
namespace {

TEST(DeclaredEncodingTest, OfMarkup) {
  struct Case {
    const char* head;
    const char* label;
    const char* encoding;
  };
  const Case cases[] = {
      {"<meta charset=gb2312>", "gb2312", "gb18030"},
      {"<html><META CHARSET = \"Big5\">", "Big5", "big5"},
      {"<meta http-equiv=\"Content-Type\" content=\"text/html; charset=utf-8\">", "utf-8", "utf-8"},
      {"\n<meta\ncharset='windows-1251'>", "windows-1251", "windows-1251"},
      {"<?xml version=\"1.0\" encoding=\"EUC-JP\"?><rss>", "EUC-JP", "euc-jp"},
      {"<?xml version='1.0' encoding='koi8-r'?><html><meta charset=utf-8>", "koi8-r", "koi8-r"},
      {"<meta charset=iso-8859-1>", "iso-8859-1", "windows-1252"},
      {"<meta charset=martian>", "martian", ""},
      {"<p>charset=gbk</p>", "", ""},
      {"<metadata charset=gbk>", "", ""},
      {"<meta name=charset content=gbk>", "", ""},
      {"<meta data-charset=gbk>", "", ""},
      {"<meta charset=", "", ""},
      {"<meta", "", ""},
      {"plain text, charset=gbk", "", ""},
      {"", "", ""},
  };
  for (const Case& c : cases) {
    const Declaration declaration = find_declaration(c.head, {.markup = true});
    EXPECT_EQ(declaration.label, c.label) << c.head;
    EXPECT_EQ(declaration.encoding, c.encoding) << c.head;
    EXPECT_EQ(find_declaration(c.head, {}).label, "") << c.head;
  }
}

TEST(DeclaredEncodingTest, AHeaderComesFirst) {
  const Declaration declaration =
      find_declaration("<meta charset=gb2312>", {.declared = "Big5", .markup = true});
  EXPECT_EQ(declaration.label, "Big5");
  EXPECT_EQ(declaration.encoding, "big5");
}

// What servers say by default weighs less, and markup more than a header.
TEST(DeclaredEncodingTest, Weights) {
  const double header = find_declaration("", {.declared = "gbk"}).bits;
  EXPECT_GT(find_declaration("<meta charset=gbk>", {.markup = true}).bits, header);
  EXPECT_LT(find_declaration("", {.declared = "latin1"}).bits, header);
  EXPECT_EQ(find_declaration("", {}).bits, 0);
}

TEST(DeclaredEncodingTest, OnlyTheBeginningIsRead) {
  const std::string far = "<html>" + std::string(5000, ' ') + "<meta charset=gbk>";
  EXPECT_EQ(find_declaration(far, {.markup = true}).label, "");
}

}  // namespace
}  // namespace headrace::normalize::internal
