// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "normalize/internal/encodings.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

TEST(EncodingNamesTest, UsualSpellings) {
  struct Case {
    std::string spelling;
    std::string name;
  };
  const Case cases[] = {
      {"utf-8", "utf-8"},
      {"UTF8", "utf-8"},
      {"utf_8", "utf-8"},
      {"cp65001", "utf-8"},
      {"utf-8-sig", "utf-8"},
      {"GB18030", "gb18030"},
      {"gbk", "gb18030"},
      {"GBK", "gb18030"},
      {"gb2312", "gb18030"},
      {"GB_2312-80", "gb18030"},
      {"cp936", "gb18030"},
      {"CP-936", "gb18030"},
      {"windows-936", "gb18030"},
      {"x-gbk", "gb18030"},
      {"ms936", "gb18030"},
      {"EUC-CN", "gb18030"},
      {"Big5", "big5"},
      {"BIG-5", "big5"},
      {"cp950", "big5"},
      {"big5-hkscs", "big5-hkscs"},
      {"utf-16le", "utf-16le"},
      {"UTF-16BE", "utf-16be"},
      {"utf16-le", "utf-16le"},
      {"Shift-JIS", "shift_jis"},
      {"sjis", "shift_jis"},
      {"x-sjis", "shift_jis"},
      {"windows-31j", "shift_jis"},
      {"cp932", "shift_jis"},
      {"eucJP", "euc-jp"},
      {"EUC-KR", "euc-kr"},
      {"cp949", "euc-kr"},
      {"latin1", "iso-8859-1"},
      {"ISO8859-1", "iso-8859-1"},
      {"ISO_8859-1:1987", "iso-8859-1"},
      {"windows-1251", "windows-1251"},
      {"cp1251", "windows-1251"},
      {"KOI8-R", "koi8-r"},
      {"ascii", "us-ascii"},
      {"iso-8859-3", "iso-8859-3"},
      {"TIS-620", "windows-874"},
      {"utf-32le", "utf-32le"},
      {"ibm855", "ibm855"},
      {"iso-2022-jp", "iso-2022-jp"},
  };
  for (const Case& c : cases) {
    const auto decoder = decoders().declared(c.spelling);
    ASSERT_TRUE(decoder.has_value()) << c.spelling << ": " << decoder.error().message();
    EXPECT_EQ((*decoder)->encoding(), c.name) << c.spelling;
  }
}

TEST(EncodingNamesTest, UnknownNamesAreErrors) {
  struct Case {
    std::string name;
    std::string message;
  };
  const Case cases[] = {
      {"gb18300", "did you mean 'gb18030'?"},
      {"utf-9", "did you mean 'utf-8'?"},
      {"bg5", "did you mean 'big5'?"},
      {"", "known: utf-8"},
      {"martian", "unknown encoding 'martian'"},
      {"utf-16", "write 'utf-16le' or 'utf-16be'"},
      {"UTF-32", "write 'utf-32le' or 'utf-32be'"},
      {"UTF16_PlatformEndian", "unknown encoding"},
      {"ISO_2022,locale=ja,version=0", "unknown encoding"},
      {"中文", "unknown encoding '中文'"},
  };
  for (const Case& c : cases) {
    const auto decoder = decoders().declared(c.name);
    ASSERT_FALSE(decoder.has_value()) << c.name;
    EXPECT_EQ(decoder.error().code(), Code::kInvalidArgument) << c.name;
    EXPECT_THAT(decoder.error().message(), ::testing::HasSubstr(c.message)) << c.name;
  }
}

// Where lines are cut in the bytes, 0x0A must be a line feed wherever it stands.
TEST(EncodingNamesTest, LinesAreCutInTheBytesOnlyWhereThatIsSafe) {
  for (const char* name : {"utf-8", "gb18030", "big5", "big5-hkscs", "shift_jis", "euc-jp",
                           "euc-kr", "euc-tw", "windows-1251", "iso-8859-3", "us-ascii"}) {
    const auto decoder = decoders().declared(name).value();
    EXPECT_TRUE(decoder->cuts_at_newline_bytes()) << name;
    for (int byte = 0; byte < 256; ++byte) {
      std::string text;
      const std::string pair = {static_cast<char>(byte), '\n'};
      if (decoder->decode(pair, &text).has_value()) {
        EXPECT_EQ(text.back(), '\n') << name << " " << byte;
      }
    }
  }
  for (const char* name :
       {"utf-16le", "utf-16be", "utf-32le", "iso-2022-jp", "hz-gb-2312", "ibm037"}) {
    EXPECT_FALSE(decoders().declared(name).value()->cuts_at_newline_bytes()) << name;
  }
}

}  // namespace
}  // namespace headrace::normalize
