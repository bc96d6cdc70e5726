// SPDX-License-Identifier: Apache-2.0
#include "tokenize/nfc.h"

#include <gtest/gtest.h>

namespace headrace::tokenize {
namespace {

std::string nfc(std::string_view text) {
  std::string normalized = "left over";
  return to_nfc(text, &normalized) ? normalized : std::string(text);
}

// Expected: normalizers.NFC of tokenizers 0.22.2.
TEST(NfcTest, Table) {
  const struct {
    std::string text;
    std::string expected;
  } cases[] = {
      {"", ""},
      {"plain ascii text, long enough", "plain ascii text, long enough"},
      {"cafe\u0301 and so on", "caf\u00E9 and so on"},
      {"\u0301e", "\u0301e"},
      {"abcdefghijke\u0301", "abcdefghijk\u00E9"},
      {"a\u0301\u0323b", "\u1EA1\u0301b"},
      {"今\u1100\u1161\u11A8天", "今\uAC01天"},
      {"\uF900", "\u8C48"},
      {"\u0344", "\u0308\u0301"},
      {"x\u0345\u08D4", "x\u08D4\u0345"},                // a mark of Unicode 9.0: ordered
      {"x\u0345\u1DF6", "x\u0345\u1DF6"},                // of 10.0: left where it is
      {"\U00011935\U00011930", "\U00011935\U00011930"},  // composes since 13.0
      {"e\u0301 and e\u0301.", "\u00E9 and \u00E9."},
      {"e\u0301\u4E00\u0301\u4E00e\u0301", "\u00E9\u4E00\u0301\u4E00\u00E9"},
  };
  for (const auto& c : cases) EXPECT_EQ(nfc(c.text), c.expected) << c.text;
}

// Marks out of order, far more than any text has: sorting them must not be quadratic (a quarter of
// a million insertions into the front of a megabyte would take minutes).
TEST(NfcTest, LongRunOfMarksOutOfOrder) {
  constexpr int kPairs = 250000;
  std::string text = "x";
  std::string expected = "x";
  for (int i = 0; i < kPairs; ++i) text += "\u0301\u0323";
  for (int i = 0; i < kPairs; ++i) expected += "\u0323";
  for (int i = 0; i < kPairs; ++i) expected += "\u0301";
  EXPECT_EQ(nfc(text), expected);
}

}  // namespace
}  // namespace headrace::tokenize
