// SPDX-License-Identifier: Apache-2.0
#include <clocale>
#include <cstdlib>
#include <simdjson.h>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/counter_rng.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using ::testing::HasSubstr;

std::shared_ptr<const TextDecoder> decoder(std::string_view name) {
  return decoders().declared(name).value();
}

TEST(DecoderTest, DecodesExactly) {
  struct Case {
    const char* encoding;
    std::string bytes;
    std::string text;
  };
  const Case cases[] = {
      {"utf-8", "第四行 😀 \uFFFD", "第四行 😀 \uFFFD"},
      {"utf-8", "", ""},
      {"utf-8", "\xEF\xBB\xBFx", "\uFEFFx"},
      {"gb18030", "\xCA\xFD\xBE\xDD\xC7\xE5\xCF\xB4\xA3\xAC", "数据清洗，"},
      {"gb18030", "\x95\x34\xB2\x35\xD2\xB0\xBC\xD2 \xA2\xE3uro", "𠮷野家 €uro"},
      {"gbk", "\x81\x30\x84\x36", "¥"},
      {"big5", "\xA4\xA4\xA4\xE5\xA1\x41", "中文，"},
      {"big5-hkscs", "\x88\x66\xA4\xA4", "Ê中"},
      {"shift_jis", "\x83\x65\x83\x58\x83\x67\x81\x42\xB1\\", "テスト。ｱ\\"},
      {"euc-jp", "\xA4\xCB\xA4\xDB\xA4\xF3", "にほん"},
      {"euc-kr", "\xC7\xD1\xB1\xDB \x8C\x63", "한글 똠"},
      {"iso-8859-1", "caf\xE9 \x93x\x94", "café “x”"},
      {"windows-1251", "\xCF\xF0\xE8\xE2\xE5\xF2", "Привет"},
      {"koi8-r", "\xF0\xD2\xC9\xD7\xC5\xD4", "Привет"},
      {"utf-16le", {"a\0\x2D\x4E\x3D\xD8\x00\xDE", 8}, "a中😀"},
      {"utf-16be", {"\0a\x4E\x2D\xD8\x3D\xDE\x00", 8}, "a中😀"},
      {"utf-16le", {"\0\0", 2}, {"\0", 1}},
      {"utf-32be", {"\0\x01\xF6\x00", 4}, "😀"},
      {"iso-2022-jp", "\x1B$B$K$[$s\x1B(B.", "にほん."},
  };
  for (const Case& c : cases) {
    std::string text = "left over";
    const auto decoded = decoder(c.encoding)->decode(c.bytes, &text);
    ASSERT_TRUE(decoded.has_value()) << c.encoding << ": " << decoded.error().message();
    EXPECT_EQ(text, c.text) << c.encoding;
    EXPECT_EQ(decoder(c.encoding)->first_bad_byte(c.bytes), c.bytes.size()) << c.encoding;
  }
}

TEST(DecoderTest, RefusesWithThePlace) {
  struct Case {
    const char* encoding;
    std::string bytes;
    std::size_t offset;
    std::string message;
  };
  const Case cases[] = {
      {"utf-8", "bad \xFF byte", 4, "byte 4: FF is not valid UTF-8"},
      {"utf-8", "surrogate \xED\xA0\x80", 10, "byte 10: ED is not valid UTF-8"},
      {"utf-8", "中文 cut \xE4\xB8", 11, "byte 11: E4 B8 is the cut off beginning"},
      {"utf-8", "overlong \xC0\xAF", 9, "byte 9: C0"},
      {"utf-8", "beyond \xF4\x90\x80\x80", 7, "byte 7: F4"},
      {"utf-8", "\x80", 0, "byte 0: 80"},
      {"gb18030", "\xCA\xFD\xBE", 2, "byte 2: BE is the cut off beginning"},
      {"gb18030", "\xCA\xFD\xFF\xFF", 2, "byte 2: FF is not valid gb18030"},
      {"gb18030", "ok \x81\x30\x41", 3, "byte 3: 81"},
      {"big5", "\xA4\xA4\xA4\x20z", 2, "byte 2: A4"},
      {"shift_jis", "a\x80", 1, "byte 1: 80"},
      {"euc-jp", "\xA4\xCB\xA4", 2, "byte 2: A4"},
      {"us-ascii", "caf\xE9", 3, "byte 3: E9"},
      {"utf-16le", {"a\0b", 3}, 2, "byte 2: 62 is half a character"},
      {"utf-16le", {"a\0\x3D\xD8", 4}, 2, "an unpaired surrogate"},
      {"utf-16be", {"\xDE\x00\0a", 4}, 0, "an unpaired surrogate"},
      {"utf-16be", {"\xD8\x3D\0a", 4}, 0, "byte 0: D8 3D"},
      {"utf-32le", {"\0\xD8\0\0", 4}, 0, "byte 0"},
  };
  for (const Case& c : cases) {
    std::string text = "left over";
    const auto decoded = decoder(c.encoding)->decode(c.bytes, &text);
    ASSERT_FALSE(decoded.has_value()) << c.encoding << " " << text;
    EXPECT_EQ(decoded.error().code(), Code::kCorrupt);
    EXPECT_EQ(decoded.error().reach(), Reach::kRecord);
    EXPECT_THAT(decoded.error().message(), HasSubstr(c.message));
    EXPECT_EQ(text, "");
    EXPECT_EQ(decoder(c.encoding)->first_bad_byte(c.bytes), c.offset) << c.encoding;
  }
}

// Random bytes: what is taken is valid UTF-8; what is refused is good up to the named place.
TEST(DecoderTest, NamesTheFirstBadByteOfAnyBytes) {
  const CounterRng rng(1, purpose("encoding_test"));
  std::uint64_t draw = 0;
  for (const char* name : {"utf-8", "gb18030", "big5", "big5-hkscs", "shift_jis", "euc-jp",
                           "euc-kr", "utf-16le", "utf-16be", "windows-1252"}) {
    const auto strict = decoder(name);
    int refused = 0;
    for (int i = 0; i < 4000; ++i) {
      std::string bytes(rng.below(draw++, 12), '\0');
      for (char& c : bytes) {
        const std::uint64_t bits = rng.at(draw++);
        c = static_cast<char>(bits >> 62 == 0 ? bits & 0x7F : bits | 0x80);
      }
      std::string text;
      const bool taken = strict->decode(bytes, &text).has_value();
      ASSERT_TRUE(simdjson::validate_utf8(text.data(), text.size()));
      const std::size_t bad = strict->first_bad_byte(bytes);
      ASSERT_EQ(taken, bad == bytes.size()) << name;
      ASSERT_TRUE(strict->decode(std::string_view(bytes).substr(0, bad), &text).has_value())
          << name << " " << i;
      refused += !taken;
    }
    if (std::string_view(name) != "windows-1252") {
      EXPECT_GT(refused, 100) << name;
    }
  }
}

TEST(DecoderTest, LongTextsCrossTheInnerBuffer) {
  std::string bytes;
  std::string expected;
  while (bytes.size() < 100000) {
    bytes += "x\xD6\xD0\x95\x34\xB2\x35";
    expected += "x中𠮷";
  }
  std::string text;
  ASSERT_TRUE(decoder("gb18030")->decode(bytes, &text).has_value());
  EXPECT_EQ(text, expected);
  bytes += "\xFF";
  EXPECT_EQ(decoder("gb18030")->first_bad_byte(bytes), bytes.size() - 1);
}

// Each thread has its own converter, and a failed record leaves no state for the next.
TEST(DecoderTest, ThreadsDoNotDisturbEachOther) {
  const auto shared = decoder("gb18030");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      std::string text;
      for (int i = 0; i < 2000; ++i) {
        if (shared->decode("\xD6\xD0\xD6", &text).has_value()) ++wrong[t];
        if (!shared->decode("\xD6\xD0\xCE\xC4", &text).has_value() || text != "中文") ++wrong[t];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

// The same bytes give the same text and the same evidence under every locale that the machine has.
TEST(DecoderTest, LocaleDecidesNothing) {
  const std::string gb18030 =
      "{\"id\": \"k1\", \"text\": "
      "\"\xCA\xFD\xBE\xDD\xC7\xE5\xCF\xB4\xA3\xAC\xB1\xE0\xC2\xEB\xB1\xD8"
      "\xD0\xEB\xD0\xB4\xC3\xF7\xA1\xA3\"}\n{\"id\": \"k2\", \"text\": "
      "\"\x95\x34\xB2\x35\xD2\xB0\xBC"
      "\xD2 \xBA\xCD \xA2\xE3uro\"}\n";
  const std::string utf8 =
      "{\"id\": \"k1\", \"text\": \"数据清洗，编码必须写明。\"}\n"
      "{\"id\": \"k2\", \"text\": \"𠮷野家 和 €uro\"}\n";
  const EncodingEvidence of_gb18030 = decoders().detect(gb18030, {.whole = true});
  const EncodingEvidence of_utf8 = decoders().detect(utf8, {.whole = true});
  const std::string before = std::setlocale(LC_ALL, nullptr);
  int locales = 0;
  for (const char* locale : {"C", "C.UTF-8", "C.utf8", "POSIX", "zh_CN.GBK", "zh_CN.GB18030",
                             "tr_TR.UTF-8", "en_US.ISO-8859-1", ""}) {
    if (std::setlocale(LC_ALL, locale) == nullptr) continue;
    ++locales;
    std::string text;
    for (const std::string& bytes : {gb18030, utf8}) {
      const char* name = bytes == utf8 ? "UTF-8" : "GB18030";
      ASSERT_TRUE(decoder(name)->decode(bytes, &text).has_value()) << locale;
      EXPECT_EQ(text, utf8) << locale;
    }
    for (const auto& [bytes, first] : {std::pair(gb18030, of_gb18030), std::pair(utf8, of_utf8)}) {
      const EncodingEvidence now = decoders().detect(bytes, {.whole = true});
      EXPECT_EQ(now.encoding, first.encoding) << locale;
      EXPECT_EQ(now.confidence, first.confidence) << locale;
    }
  }
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_GE(locales, 2);
  EXPECT_EQ(of_utf8.encoding, "utf-8");
  EXPECT_GE(of_utf8.confidence, 0.9);
  // Few characters: never used unasked unless it is right.
  if (of_gb18030.confidence >= 0.9) {
    EXPECT_EQ(of_gb18030.encoding, "gb18030");
  }
}

}  // namespace
}  // namespace headrace::normalize
