// SPDX-License-Identifier: Apache-2.0
// The encodings whose tables ICU lacks.
#include <gtest/gtest.h>

#include "normalize/internal/encodings.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

TEST(SmallDecodersTest, DecodeExactly) {
  struct Case {
    const char* encoding;
    std::string bytes;
    std::string text;
  };
  const Case cases[] = {
      {"johab", "\xD0\x65\x8B\x69 abc\\", "한글 abc\\"},
      {"johab", "\x88\x61\xD3\xBD", "가힣"},
      {"johab", "\x88\x41\x84\x41\x84\x42\x8C\x41", "ㄱ\u3000ㄱㄲ"},
      {"johab", "\xE0\x31\xF9\xFE\xD9\x31", "伽詰\u3000"},
      {"viscii", "Vi\xAEt Nam \x02\x1E", "Việt Nam ẲỴ"},
      {"iso-8859-16", "\xBA\xFE\xAA\xDE \xA4", "șțȘȚ €"},
  };
  for (const Case& c : cases) {
    const auto decoder = decoders().declared(c.encoding).value();
    std::string text = "left over";
    const auto decoded = decoder->decode(c.bytes, &text);
    ASSERT_TRUE(decoded.has_value()) << c.encoding << ": " << decoded.error().message();
    EXPECT_EQ(text, c.text) << c.encoding;
    EXPECT_EQ(decoder->first_bad_byte(c.bytes), c.bytes.size());
    EXPECT_TRUE(decoder->cuts_at_newline_bytes());
  }
}

// A code is a syllable once: 11,172 of them, all different, and every line feed stays one.
TEST(SmallDecodersTest, JohabHasEverySyllableOnce) {
  std::vector<int> times(0xD7A4 - 0xAC00);
  for (int lead = 0x80; lead < 256; ++lead) {
    EXPECT_EQ(internal::decode_johab(static_cast<char>(lead), '\n'), 0);
    for (int trail = 0; trail < 256; ++trail) {
      const char16_t c = internal::decode_johab(static_cast<char>(lead), static_cast<char>(trail));
      if (c >= 0xAC00 && c <= 0xD7A3) ++times[c - 0xAC00U];
    }
  }
  EXPECT_EQ(times, std::vector<int>(times.size(), 1));
}

TEST(SmallDecodersTest, JohabRefusesWithThePlace) {
  const auto decoder = decoders().declared("johab").value();
  std::string text;
  for (const std::string bytes : {"ab\x80\x41", "ab\x88\x20", "ab\xFF\xFF", "ab\xDA\xA1"}) {
    EXPECT_FALSE(decoder->decode(bytes, &text).has_value());
    EXPECT_EQ(decoder->first_bad_byte(bytes), 2U);
    EXPECT_EQ(text, "");
  }
  const auto cut = decoder->decode("ab\x88", &text);
  ASSERT_FALSE(cut.has_value());
  EXPECT_NE(cut.error().message().find("cut off"), std::string::npos);
}

}  // namespace
}  // namespace headrace::normalize
