// SPDX-License-Identifier: Apache-2.0
#include "record/char_class.h"

#include <array>
#include <string_view>

#include <gtest/gtest.h>
#include <unicode/uchar.h>

#include "record/internal/char_class_table.h"
#include "record/testing/slow_view.h"

namespace headrace {
namespace {

TEST(CharClassTest, TellsTheKindsApart) {
  struct Case {
    char32_t code_point;
    int classes;
  };
  for (const Case& c : {Case{U'a', kLetter},
                        {U'A', kLetter | kUpper},
                        {U'é', kLetter},
                        {U'\u0301', kLetter},
                        {U'7', kDigit},
                        {U'７', kDigit},
                        {U'²', 0},
                        {U'①', 0},
                        {U'½', 0},
                        {U' ', kSpace},
                        {U'\u3000', kSpace},
                        {U'\u200B', 0},
                        {U'\0', 0},
                        {U',', kPunct},
                        {U'，', kPunct},
                        {U'～', kPunct},
                        {U'·', kPunct},
                        {U'.', kPunct | kEndMark},
                        {U'。', kPunct | kEndMark},
                        {U'；', kPunct | kEndMark},
                        {U';', kPunct},
                        {U'…', kPunct | kEndMark},
                        {U'．', kPunct | kSoftEnd},
                        {U'﹒', kPunct | kSoftEnd},
                        {U'।', kPunct | kEndMark},
                        {U')', kPunct | kCloser},
                        {U'”', kPunct | kCloser},
                        {U'"', kPunct | kCloser},
                        {U'「', kPunct},
                        {U'汉', kHan},
                        {U'〇', kHan},
                        {U'々', kHan},
                        {U'㐀', kHan},
                        {U'𠀀', kHan},
                        {U'䷀', 0},
                        {U'あ', kLetter},
                        {U'#', 0},
                        {U'％', 0},
                        {U'•', 0},
                        {U'$', 0},
                        {U'+', 0},
                        {U'|', 0},
                        {U'🙂', 0},
                        {U'\uFE0F', 0}}) {
    EXPECT_EQ(char_class(c.code_point), c.classes)
        << std::hex << static_cast<unsigned>(c.code_point);
  }
  EXPECT_EQ(char_class(0x110000), 0);
  EXPECT_EQ(char_class(0xFFFFFFFF), 0);
}

TEST(CharClassTest, AgreesWithIcuOnEveryCodePoint) {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  const bool same_version = version[0] == internal::kCharClassUnicodeMajor &&
                            version[1] == internal::kCharClassUnicodeMinor;
  int unknown_to_one = 0;
  for (std::uint32_t c = 0; c < 0x110000; ++c) {
    if (char_class(c) == slow_char_class(c)) continue;
    ASSERT_FALSE(same_version) << "U+" << std::hex << c;
    ++unknown_to_one;
  }
  // Another Unicode version assigns some thousand more or fewer code points, not other classes.
  EXPECT_LT(unknown_to_one, 20000);
}

TEST(CharClassTest, KindsExcludeEachOther) {
  for (std::uint32_t c = 0; c < 0x110000; ++c) {
    const int classes = char_class(c);
    int kinds = 0;
    for (const int kind : {kLetter, kDigit, kSpace, kPunct, kHan}) kinds += (classes & kind) != 0;
    ASSERT_LE(kinds, 1) << std::hex << c;
    ASSERT_EQ((classes & kSoftEnd) == kSoftEnd, c == U'．' || c == U'﹒') << std::hex << c;
    ASSERT_FALSE((classes & kUpper) && !(classes & kLetter)) << std::hex << c;
    ASSERT_FALSE((classes & (kEndMark | kCloser)) && !(classes & kPunct)) << std::hex << c;
  }
}

}  // namespace
}  // namespace headrace
