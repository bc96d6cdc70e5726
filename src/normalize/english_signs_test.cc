// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "normalize/internal/encodings.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

// English of some twenty sentences with `piece` in the middle.
std::string book(const std::string& piece) {
  std::string text;
  for (int i = 0; i < 20; ++i) {
    if (i == 10) text += piece + " ";
    text += "The kiln was left to the heat of that morning, and the men from the mill stood by. ";
  }
  return text;
}

EncodingEvidence detect(const std::string& text) {
  return decoders().detect(text, {.whole = true});
}

TEST(EnglishSignsTest, ASingleSignInItsPlaceIsEnough) {
  for (const char* piece : {"Bake at 460\xB0"
                            "C, not more.",
                            "At 20\xB0 it rains.", "See \xA7 12.",
                            "It costs \xA3"
                            "5.",
                            "\xA9 1998 by the mill", "Intel\xAE makes it.", "Take 2\xBD cups.",
                            "A (\xB1"
                            "3) error.",
                            "No.\xA0"
                            "7",
                            "pages 3\x96"
                            "9",
                            "the men \x97 all of them \x97 left", "He said \x93go\x94 and left.",
                            "It\x92s late.", "They don\x92t.", "a 3 \xD7 4 grid"}) {
    const EncodingEvidence evidence = detect(book(piece));
    EXPECT_EQ(evidence.encoding, "windows-1252") << piece;
    EXPECT_GE(evidence.confidence, 0.9) << piece << ": " << evidence.why;
    EXPECT_NE(evidence.why.find("in place"), std::string::npos) << evidence.why;
  }
}

// What such a byte is in another encoding stands elsewhere: in words, or beside others.
TEST(EnglishSignsTest, OutOfPlaceNothingIsSaid) {
  for (const char* piece :
       {"a stra\xA7"
        "e",
        "caf\xB0 noir", "pa\x92s", "\xB0\xA1\xB0\xA2",
        "460\xB0"
        "Celsius",
        "\xB0 degrees", "Mu\xF1oz", "na\xEFve", "wei\xA7", "\xC4\xE3", "x\x93y\x94z"}) {
    EXPECT_EQ(internal::count_english_signs(book(piece)), 0U) << piece;
  }
  // One sign in place does not carry one that is not.
  EXPECT_EQ(internal::count_english_signs(book("460\xB0"
                                               "C in a stra\xA7"
                                               "e")),
            0U);
}

TEST(EnglishSignsTest, OnlyEnglishAndOnlyAFewSigns) {
  EXPECT_EQ(internal::count_english_signs("460\xB0"
                                          "C and the rest of that"),
            0U);
  std::string spanish;
  for (int i = 0; i < 40; ++i)
    spanish += "El horno de la casa estaba en el centro del pueblo viejo. ";
  EXPECT_EQ(internal::count_english_signs(spanish + "460\xB0"
                                                    "C"),
            0U);
  std::string many;
  for (int i = 0; i < 200; ++i) many += "20\xB0 of the ";
  EXPECT_EQ(internal::count_english_signs(many), 0U);
}

TEST(EnglishSignsTest, AnotherDeclarationIsHeard) {
  const std::string text = book(
      "460\xB0"
      "C");
  const EncodingEvidence evidence = decoders().detect(text, {.whole = true, .declared = "gb18030"});
  EXPECT_EQ(evidence.why.find("in place"), std::string::npos) << evidence.why;
}

}  // namespace
}  // namespace headrace::normalize
