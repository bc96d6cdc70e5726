// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unicode/uchar.h>

#include "measure/testing/check.h"
#include "record/char_class.h"

namespace headrace::measure {
namespace {

std::optional<double> slow_emoji_share(const SlowView& view) {
  if (view.code_points.empty()) return std::nullopt;
  const auto shown = [](std::uint32_t c) {
    return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EMOJI_PRESENTATION) != 0;
  };
  std::size_t found = 0;
  for (std::size_t i = 0; i < view.code_points.size(); ++i) {
    if (shown(view.code_points[i])) ++found;
    const bool symbol =
        i > 0 && (view.classes[i - 1] & (kLetter | kDigit | kSpace | kPunct | kHan)) == 0;
    if (view.code_points[i] == 0xFE0F && symbol && !shown(view.code_points[i - 1])) ++found;
  }
  return static_cast<double>(found) / static_cast<double>(view.code_points.size());
}

HEADRACE_TEST_AGAINST_SLOW(EmojiShareTest, "emoji_share", slow_emoji_share);

TEST(EmojiShareTest, EqualsItsSlowFormOnEveryEmoji) {
  std::vector<std::string> texts;
  for (std::uint32_t c = 0x80; c < 0x20000; ++c) {
    if (c >= 0xD800 && c < 0xE000) continue;
    if (c % 512 == 0 || texts.empty()) texts.emplace_back();
    std::string& text = texts.back();
    if (c >= 0x10000) {
      text += static_cast<char>(0xF0 | c >> 18);
      text += static_cast<char>(0x80 | (c >> 12 & 63));
    } else if (c >= 0x800) {
      text += static_cast<char>(0xE0 | c >> 12);
    }
    text += static_cast<char>(c >= 0x800 ? 0x80 | (c >> 6 & 63) : 0xC0 | c >> 6);
    text += static_cast<char>(0x80 | (c & 63));
    if (c % 3 == 0) text += "\uFE0F";
  }
  expect_equals_slow_on("emoji_share", slow_emoji_share, texts);
}

TEST(EmojiShareTest, CountsWhatIsShownAsEmoji) {
  EXPECT_EQ(measure_of("emoji_share", "好👍"), 0.5);
  EXPECT_EQ(measure_of("emoji_share", "❤"), 0.0);
  EXPECT_EQ(measure_of("emoji_share", "❤\uFE0F"), 0.5);
  EXPECT_EQ(measure_of("emoji_share", "🇨🇳"), 1.0);
  EXPECT_EQ(measure_of("emoji_share", "👩\u200D🔬"), 2.0 / 3);
  EXPECT_EQ(measure_of("emoji_share", ":-) ①©"), 0.0);
}

TEST(EmojiShareTest, NullForAnEmptyText) { EXPECT_EQ(measure_of("emoji_share", ""), std::nullopt); }

}  // namespace
}  // namespace headrace::measure
