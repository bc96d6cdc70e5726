// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using std::string_literals::operator""s;

TEST(DetectTest, ByteOrderMarks) {
  struct Case {
    std::string bytes;
    std::string encoding;
  };
  const Case cases[] = {
      {"\xEF\xBB\xBFplain", "utf-8"},
      {"\xFF\xFE"
       "a\0"s,
       "utf-16le"},
      {"\xFE\xFF\0"
       "a"s,
       "utf-16be"},
      {"\xFF\xFE\0\0a\0\0\0"s, "utf-32le"},
      {"\0\0\xFE\xFF\0\0\0"
       "a"s,
       "utf-32be"},
      {"\x84\x31\x95\x33\xD6\xD0", "gb18030"},
  };
  for (const Case& c : cases) {
    const EncodingEvidence evidence = decoders().detect(c.bytes, {.whole = true});
    EXPECT_EQ(evidence.encoding, c.encoding);
    EXPECT_EQ(evidence.confidence, 1);
    EXPECT_EQ(evidence.why, "byte order mark");
    EXPECT_TRUE(decoders().declared(evidence.encoding).has_value()) << c.encoding;
  }
}

TEST(DetectTest, ValidUtf8) {
  for (const char* text : {"", "plain ASCII", "{\"text\": \"中文\"}", "naïve — “quoted” … 100 €",
                           "Привет, как дела? Хорошо, а у тебя как дела сегодня?", "😀😀"}) {
    const EncodingEvidence evidence = decoders().detect(text, {.whole = true});
    EXPECT_EQ(evidence.encoding, "utf-8") << text;
    EXPECT_GE(evidence.confidence, 0.98) << text;
  }
}

TEST(DetectTest, ACharacterCutAtTheEndOfTheHeadIsNoFault) {
  const std::string text = "第一行，第二行";
  for (std::size_t cut = 0; cut < 3; ++cut) {
    const EncodingEvidence evidence =
        decoders().detect(std::string_view(text).substr(0, text.size() - cut), {.whole = false});
    EXPECT_EQ(evidence.why, "valid UTF-8") << cut;
    EXPECT_EQ(evidence.confidence, 1) << cut;
  }
}

// Some bad lines do not make the file another encoding: the others stay what they are.
TEST(DetectTest, MostlyUtf8) {
  const std::string lines =
      "{\"id\": \"g1\", \"text\": \"第一行\"}\n{\"id\": \"g2\", \"text\": \"second\"}\n"
      "{\"id\":\"x3\",\"text\":\"bad \xFF byte\"}\n{\"id\": \"g4\", \"text\": \"第四行 😀\"}\n"
      "{\"id\":\"x5\",\"text\":\"surrogate as bytes \xED\xA0\x80\"}\n"
      "{\"id\":\"x6\",\"text\":\"cut \xE4\xB8\"}\n{\"id\":\"x7\",\"text\":\"overlong \xC0\xAF\"}\n"
      "{\"id\": \"g8\", \"text\": \"\uFFFDkept: a real U+FFFD in the source\"}\n";
  const EncodingEvidence evidence = decoders().detect(lines, {.whole = true});
  EXPECT_EQ(evidence.encoding, "utf-8");
  EXPECT_GE(evidence.confidence, 0.9);
  EXPECT_EQ(evidence.why, "mostly valid UTF-8");
}

// Each quotation mark makes a character of Big5 or GBK together with the letter behind it.
TEST(DetectTest, EnglishWithWesternQuotationMarksIsNotChinese) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += "It\x92s the nation\x92s will that we don\x92t waver, said the President\x92s men. ";
    const EncodingEvidence evidence = decoders().detect(text, {.whole = true});
    EXPECT_TRUE(evidence.confidence < 0.9 || evidence.encoding == "windows-1252")
        << evidence.encoding << " after " << i;
  }
  EXPECT_EQ(decoders().detect(text, {.whole = true}).encoding, "windows-1252");
}

TEST(DetectTest, Utf16WithoutMark) {
  for (const bool big : {false, true}) {
    std::string bytes;
    for (const char16_t unit : u"{\"text\": \"中文 and English\"}\n"s) {
      const char high = static_cast<char>(unit >> 8);
      const char low = static_cast<char>(unit & 0xFF);
      bytes += big ? high : low;
      bytes += big ? low : high;
    }
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    EXPECT_EQ(evidence.encoding, big ? "utf-16be" : "utf-16le");
    EXPECT_GE(evidence.confidence, 0.9);
  }
}

TEST(DetectTest, ANulInAnHonestTextIsNotUtf16) {
  EXPECT_EQ(decoders().detect("nul \0 inside a text\n"s, {.whole = true}).encoding, "utf-8");
  EXPECT_EQ(decoders().detect("{\"text\": \"中\0文\"}\n"s, {.whole = true}).encoding, "utf-8");
}

TEST(DetectTest, BinaryIsNoText) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i) bytes += static_cast<char>((i * 131 + i / 7) % 251);
  EXPECT_LT(decoders().detect(bytes, {.whole = true}).confidence, 0.9);
}

}  // namespace
}  // namespace headrace::normalize
