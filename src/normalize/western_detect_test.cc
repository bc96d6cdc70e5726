// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "normalize/internal/test_data.h"
#include "normalize/internal/western.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using internal::read_as_western;

TEST(WesternDetectTest, ReadsAsWindows1252) {
  const char* cases[] = {
      "“I don’t know,” she said. “It’s what they’ve told us – no more…”",
      "We’ll go. He’s gone. They’re here. I’m not.",
      "La première étape est de déterminer l’origine des données, très souvent mal déclarée, après "
      "le début.",
      "„München ist groß“, hörte man. Für die Prüfung wäre es schön.",
      "¡No! El señor López está mañana con sus pequeños años.",
      "Nästa år får vi höra hur det går för barnen, säger hon.",
      "Päivää! Mitä tämä on? Hyvää yötä.",
  };
  for (const char* text : cases) {
    const std::string bytes = encoded(text, "windows-1252");
    EXPECT_TRUE(read_as_western(bytes).sure) << text;
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    EXPECT_EQ(evidence.encoding, "windows-1252") << text;
    EXPECT_GE(evidence.confidence, 0.9) << text;
  }
}

TEST(WesternDetectTest, OtherAlphabetsDoNot) {
  struct Case {
    const char* text;
    const char* codepage;
  };
  const Case cases[] = {
      {"Večer přišel pozdě a řekl, že nepřijde.", "windows-1250"},
      {"Zdaje się, że miał rację. Byłem tam.", "windows-1250"},
      {"Az erdő fái között szép idő volt, hűvös.", "windows-1250"},
      {"Türkiye’de yüz köy var. Değil, başka bir şey gördüm.", "windows-1254"},
      {"Aš esu čia. Ji yra žmonė, turėjo naštą.", "windows-1257"},
      {"La première étape, après l’origine: déterminer.", "macintosh"},
      {"El país está mañana aquí con “otros” más.", "macintosh"},
      {"München ist schön, für alle größer, hören wäre.", "ibm-850"},
      // One name is no proof, and neither are marks that only end words.
      {"café café café café café café", "windows-1252"},
      {"ab” cd” ef” gh” ij” kl” mn”", "windows-1252"},
      // Only places that come out of Polish as well.
      {"He said się. Then mię. Then tię. Then chięc. Then dię. And pięc.", "windows-1250"},
      // ISO-8859-15 has letters where the others have fractions.
      {"Le cœur et l'œuvre, après l'été, très délicats, étaient là.", "ISO-8859-15"},
  };
  for (const Case& c : cases) {
    const std::string bytes = encoded(c.text, c.codepage);
    EXPECT_FALSE(read_as_western(bytes).sure) << c.text;
    EXPECT_LT(decoders().detect(bytes, {.whole = true}).confidence, 0.9) << c.text;
  }
}

TEST(WesternDetectTest, OneStrangeCharacterInFifty) {
  const auto sure = [](const std::string& text) {
    return read_as_western(encoded(text, "windows-1252")).sure;
  };
  std::string text;
  for (int i = 0; i < 20; ++i) text += "The men’s hats, he’ll say. It’s his. We don’t. ";
  EXPECT_TRUE(sure(text));
  EXPECT_TRUE(sure("Who “ is it? " + text));
  EXPECT_FALSE(sure("Who “ is “ it? " + text));
  EXPECT_FALSE(sure("Erdoðan. " + text));  // never, whatever else there is
}

TEST(WesternDetectTest, TypographyInPlace) {
  struct Case {
    char32_t left, mark, right;
    bool in_place;
  };
  const Case cases[] = {
      {U'n', U'’', U't', true},  {U's', U'’', U' ', true},  {U' ', U'’', U'9', true},
      {U' ', U'’', U' ', false}, {U' ', U'“', U'A', true},  {U'a', U'“', U'A', false},
      {U' ', U'“', U' ', false}, {U'.', U'”', U' ', true},  {U' ', U'”', U'a', false},
      {U'a', U'—', U'b', true},  {U' ', U'—', U' ', true},  {U'a', U'—', U' ', false},
      {U'a', U'…', U' ', true},  {U'a', U'…', U'b', false}, {U'a', U'·', U'b', false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(internal::typographic_in_place(c.left, c.mark, c.right), c.in_place)
        << static_cast<int>(c.left) << ' ' << static_cast<int>(c.mark) << ' '
        << static_cast<int>(c.right);
  }
}

}  // namespace
}  // namespace headrace::normalize
