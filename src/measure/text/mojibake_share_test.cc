// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {
namespace {

constexpr std::u32string_view kUpper = U"€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ";

std::uint32_t byte_of(std::uint32_t c) {
  const std::size_t at = kUpper.find(static_cast<char32_t>(c));
  if (at != kUpper.npos) return 0x80 + static_cast<std::uint32_t>(at);
  return c >= 0x80 && c < 0x100 ? c : 0;
}

// Code points of a row of sequences at `at` of `bytes`; 0 if it is not mojibake.
std::size_t row(const std::vector<std::uint32_t>& bytes, std::size_t at) {
  std::size_t end = at, sequences = 0;
  bool sure = false;
  for (;; ++sequences) {
    const std::uint32_t lead = end < bytes.size() ? bytes[end] : 0;
    const std::size_t length = lead < 0xC2   ? 0
                               : lead < 0xE0 ? 2
                               : lead < 0xF0 ? 3
                               : lead < 0xF5 ? 4
                                             : 0;
    if (length == 0 || end + length > bytes.size()) break;
    bool whole = true;
    for (std::size_t k = 1; k < length; ++k) whole = whole && (bytes[end + k] & 0xC0) == 0x80;
    if (!whole) break;
    const std::uint32_t second = bytes[end + 1];
    sure = sure || lead == 0xC2 || lead == 0xC3 || lead == 0xE2 ||
           (lead == 0xF0 && second == 0x9F) || (lead == 0xEF && second >= 0xBB && second <= 0xBD);
    end += length;
  }
  return sure || sequences > 1 ? end - at : 0;
}

std::optional<double> slow_mojibake_share(const SlowView& view) {
  const std::vector<std::uint32_t>& c = view.code_points;
  if (c.empty()) return std::nullopt;
  std::vector<std::uint32_t> bytes;
  for (const std::uint32_t one : c) bytes.push_back(byte_of(one));
  const auto at = [&](std::size_t i) { return i < c.size() ? c[i] : 0; };
  std::size_t found = 0;
  for (std::size_t i = 0; i < c.size();) {
    std::size_t length = row(bytes, i);
    if (c[i] == 0xFFFD) length = 1;
    if (c[i] == U'锟' && at(i + 1) == U'斤' && at(i + 2) == U'拷') length = 3;
    if (c[i] == U'烫' || c[i] == U'屯') {
      std::size_t same = 1;
      while (at(i + same) == c[i]) ++same;
      length = same >= 3 ? same : 0;
    }
    const std::uint32_t next = at(i + 1);
    if ((c[i] == U'锛' || c[i] == U'銆' || c[i] == U'鈥') &&
        ((next >= 0x4E00 && next < 0xA000) || next == U'€' || next == 0xFFFD)) {
      length = 2;
    }
    found += length;
    i += length == 0 ? 1 : length;
  }
  return static_cast<double>(found) / static_cast<double>(c.size());
}

HEADRACE_TEST_AGAINST_SLOW(MojibakeShareTest, "mojibake_share", slow_mojibake_share);

TEST(MojibakeShareTest, EqualsItsSlowFormOnTextsOfMojibake) {
  const std::vector<std::string> pieces = {
      "â€™",    "Ã©",     "Â°", "ä½", "\u00A0", "å¥½", "ï¼Œ",  "ðŸ˜€", "é",  "…",  "”",  "ß",
      "×",      "锟斤拷", "锟", "斤", "拷",     "烫",  "烫烫", "屯",   "锛", "銆", "鈥", "€",
      "\uFFFD", "a",      " ",  "中", "Ð¿",     "Ñ€",  "Ÿ",    "ð",    "»",  "½",  "ï",  "\u0081"};
  expect_equals_slow_on("mojibake_share", slow_mojibake_share, texts_of(pieces, 3000));
}

TEST(MojibakeShareTest, SeesTheUsualKinds) {
  EXPECT_EQ(measure_of("mojibake_share", "donâ€™t"), 3.0 / 7);
  EXPECT_EQ(measure_of("mojibake_share", "cafÃ©"), 0.4);
  EXPECT_EQ(measure_of("mojibake_share", "ä½\u00A0å¥½"), 1.0);
  EXPECT_EQ(measure_of("mojibake_share", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚"), 1.0);
  EXPECT_EQ(measure_of("mojibake_share", "锟斤拷锟斤拷"), 1.0);
  EXPECT_EQ(measure_of("mojibake_share", "烫烫烫烫"), 1.0);
  EXPECT_EQ(measure_of("mojibake_share", "浣犲ソ锛屼"), 2.0 / 5);
  EXPECT_EQ(measure_of("mojibake_share", "ab\uFFFDc"), 0.25);
}

TEST(MojibakeShareTest, GoodTextHasNone) {
  for (const char* text : {"Das war ein “SPASS“, sagte er: „Spaß“.", "«CAFÉ», l’été… à côté",
                           "NÃO é possível; ação, São Paulo", "3 × 4 = 12 °C", "这碗汤很烫，别烫着",
                           "他姓锟，住屯里。", "naïve façade — “quoted”", "¿Qué? ¡Sí!",
                           "Ärger über Öl", "中文“引号”、书名号《》", "ÜBER…", "100 £ à 5 %"}) {
    EXPECT_EQ(measure_of("mojibake_share", text), 0.0) << text;
  }
}

TEST(MojibakeShareTest, NullForAnEmptyText) {
  EXPECT_EQ(measure_of("mojibake_share", ""), std::nullopt);
}

}  // namespace
}  // namespace headrace::measure
