// SPDX-License-Identifier: Apache-2.0
#include "tokenize/unicode_classes.h"

#include <gtest/gtest.h>

namespace headrace::tokenize {
namespace {

TEST(UnicodeClassesTest, ClassesOfCodePoints) {
  const struct {
    std::uint32_t code_point;
    CharClass expected;
  } cases[] = {
      {'A', kUpper},           {'z', kLower},       {0x01C5, kTitle},       {0x02B0, kModifier},
      {0x4E00, kOtherLetter},  {0x0301, kMark},     {'7', kNumber},         {0x00BD, kNumber},
      {0x2167, kNumber},       {'-', kPunctuation}, {0xFF0C, kPunctuation}, {'+', kSymbol},
      {0x1F642, kSymbol},      {' ', kSpace},       {'\t', kSpace},         {0x0B, kSpace},
      {0x85, kSpace},          {0x3000, kSpace},    {0x2029, kSpace},       {'\n', kNewline},
      {'\r', kNewline},        {0, kOther},         {0x1C, kOther},         {0x180E, kOther},
      {0x200B, kOther},        {0xFEFF, kOther},    {0xE000, kOther},       {0x10FFFF, kOther},
      {0x1C89, kUpper},         // new in Unicode 16.0
      {0x105C0, kOtherLetter},  // new in Unicode 16.0
      {0x11DB0, kOther},        // a letter since Unicode 17.0
  };
  for (const auto& c : cases) {
    EXPECT_EQ(char_classes()[c.code_point] & kClassMask, c.expected)
        << std::hex << "U+" << c.code_point;
  }
}

TEST(UnicodeClassesTest, NfcFlag) {
  const auto flagged = [](std::uint32_t c) {
    return (char_classes()[c] & kMayChangeUnderNfc) != 0;
  };
  EXPECT_FALSE(flagged('e'));
  EXPECT_FALSE(flagged(0x00E9));
  EXPECT_FALSE(flagged(0x4E2D));
  EXPECT_TRUE(flagged(0x0301));
  EXPECT_TRUE(flagged(0xF900));   // a compatibility ideograph decomposes
  EXPECT_TRUE(flagged(0x1161));   // joins the jamo before it
  EXPECT_TRUE(flagged(0x1E944));  // a mark of Unicode 9.0
  EXPECT_FALSE(flagged(0x1DF6));  // a mark of Unicode 10.0
}

}  // namespace
}  // namespace headrace::tokenize
