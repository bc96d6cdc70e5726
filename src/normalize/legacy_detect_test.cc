// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "normalize/internal/test_data.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using ::testing::HasSubstr;

constexpr const char* kSimplified =
    "数据清洗的第一步是把编码弄清楚：网页、小说和新闻各有各的来历，声明的编码也常常是错的。一个文件"
    "里可能有好几种写法，"
    "所以要先看证据，再决定怎么读，不确定的就放到一边。";
constexpr const char* kTraditional =
    "資料清理的第一步是弄清楚編碼：網頁、小說和新聞各有各的來歷，宣告的編碼也常常是錯的。一個檔案裡"
    "可能有好幾種寫法，"
    "所以要先看證據，再決定怎麼讀，不確定的就放到一邊。";
constexpr const char* kJapanese =
    "データの掃除はまず文字コードを確かめることから始まる。宣言はしばしば間違っているので、証拠を見"
    "てから読み方を決める。"
    "分からないものは脇に置いておく。";
constexpr const char* kKorean =
    "데이터를 정리하는 첫 단계는 문자 부호를 확인하는 일이다. 선언은 자주 틀리기 때문에 증거를 "
    "보고 나서 읽는 방법을 "
    "정한다. 확실하지 않은 것은 옆으로 치워 둔다.";

TEST(LegacyDetectTest, NamesTheEncodingOfASentence) {
  struct Case {
    const char* text;
    const char* codepage;
    const char* expected;
  };
  const Case cases[] = {
      {kSimplified, "gb18030", "gb18030"},           {kSimplified, "gbk", "gb18030"},
      {kTraditional, "gb18030", "gb18030"},          {kTraditional, "windows-950-2000", "big5"},
      {kJapanese, "ibm-943_P15A-2003", "shift_jis"}, {kJapanese, "euc-jp-2007", "euc-jp"},
      {kKorean, "windows-949-2000", "euc-kr"},
  };
  for (const Case& c : cases) {
    const std::string bytes = encoded(c.text, c.codepage);
    for (const std::string& around : {std::string(), std::string("<p class=\"text\">\n")}) {
      const EncodingEvidence evidence = decoders().detect(around + bytes + around, {.whole = true});
      EXPECT_EQ(evidence.encoding, c.expected) << c.codepage << ": " << evidence.why;
      EXPECT_GE(evidence.confidence, 0.9) << c.codepage << ": " << evidence.why;
      std::string text;
      ASSERT_TRUE(decoders().declared(evidence.encoding).value()->decode(bytes, &text).has_value());
      EXPECT_EQ(text, c.text);
    }
  }
}

TEST(LegacyDetectTest, NamesTheEncodingOfAnAlphabet) {
  const char* russian =
      "Первый шаг очистки данных это выяснить кодировку. Объявленная кодировка часто неверна, "
      "поэтому сначала смотрят на байты.";
  const char* czech =
      "Prvním krokem čištění dat je zjistit, v jakém kódování jsou; co je uvedeno, často neplatí.";
  const char* greek =
      "Το πρώτο βήμα είναι να βρεθεί η κωδικοποίηση του κειμένου. Αυτό που δηλώνεται είναι συχνά "
      "λάθος, και γι’ αυτό κοιτάμε πρώτα τα ίδια τα δεδομένα.";
  const char* french =
      "La première étape est de déterminer l’origine des données, très souvent mal déclarée, après "
      "le début. Être prudent, ça évite bien des problèmes.";
  const char* spanish =
      "¡No! El señor López está mañana con sus pequeños años aquí, según la información del país.";
  const char* turkish =
      "İlk adım, metnin hangi kodlamayla yazıldığını bulmaktır; bildirilen çoğu zaman yanlıştır, "
      "çünkü sayfalar bir yerden başka bir yere taşınır.";
  const char* hebrew =
      "הצעד הראשון בניקוי הנתונים הוא לגלות באיזה קידוד הם נכתבו, כי מה שמוצהר הוא לעתים קרובות "
      "שגוי.";
  const char* thai = "ขั้นตอนแรกคือการหาว่าข้อความใช้รหัสใด เพราะสิ่งที่ประกาศไว้มักจะไม่ถูกต้อง";
  struct Case {
    const char* text;
    const char* codepage;
    const char* expected;
  };
  const Case cases[] = {
      {russian, "windows-1251", "windows-1251"},     {russian, "koi8-r", "koi8-r"},
      {russian, "ibm-866_P100-1995", "ibm866"},      {russian, "ISO-8859-5", "iso-8859-5"},
      {russian, "macos-7_3-10.2", "x-mac-cyrillic"}, {czech, "windows-1250", "windows-1250"},
      {czech, "ISO-8859-2", "iso-8859-2"},           {czech, "ibm-852_P100-1995", "ibm852"},
      {greek, "windows-1253", "windows-1253"},       {french, "windows-1252", "windows-1252"},
      {french, "macos-0_2-10.2", "macintosh"},       {spanish, "windows-1252", "windows-1252"},
      {spanish, "ibm-850_P100-1995", "ibm850"},      {turkish, "windows-1254", "windows-1254"},
      {hebrew, "windows-1255", "windows-1255"},      {thai, "windows-874-2000", "windows-874"},
  };
  for (const Case& c : cases) {
    const std::string bytes = encoded(c.text, c.codepage);
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    ASSERT_FALSE(evidence.encoding.empty()) << c.codepage;
    EXPECT_GE(evidence.confidence, 0.9) << c.codepage << ": " << evidence.why;
    std::string text;
    ASSERT_TRUE(decoders().declared(evidence.encoding).value()->decode(bytes, &text).has_value());
    EXPECT_EQ(text, c.text) << evidence.encoding << " for " << c.expected;
  }
}

// Marks of English are in place, or they are letters of something else.
TEST(LegacyDetectTest, MarksAroundAsciiWords) {
  for (const char* text : {"“I don’t know,” she said. “It’s what they’ve told us – no more…”",
                           "We’ll go. He’s gone. They’re here. I’m not."}) {
    const std::string bytes = encoded(text, "windows-1252");
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    EXPECT_EQ(evidence.encoding, "windows-1252") << text;
    EXPECT_GE(evidence.confidence, 0.9) << text << ": " << evidence.why;
  }
  for (const char* text :
       {"ab” cd” ef” gh” ij” kl” mn”", "we “ are ” in the ’ middle “ of ” it",
        "ri–echo da–uma nu–iy jidye–u may–a pi–a unay–an", "aj’laspa asl’apas aj’lasqa, t’ma"}) {
    const EncodingEvidence evidence =
        decoders().detect(encoded(text, "windows-1252"), {.whole = true});
    EXPECT_LT(evidence.confidence, 0.9) << text << ": " << evidence.why;
  }
}

// Too little, letters that the language lacks, or a language that no model is of.
TEST(LegacyDetectTest, DoubtsAboutAlphabets) {
  for (const auto& [text, codepage] :
       {std::pair("café café café café café café", "windows-1252"),
        std::pair("He said się. Then mię. Then tię. Then chięc. Then dię. And pięc.",
                  "windows-1250"),
        std::pair("Tukuy ñawpaqman ñuqanchikkunaqa kamachikuykunata ñisqa, mayñataq wiñaypaq "
                  "kañan chay, iñiyñinku, suñayñin, qañiy, uñay ruñakuna.",
                  "macintosh")}) {
    const EncodingEvidence evidence = decoders().detect(encoded(text, codepage), {.whole = true});
    EXPECT_LT(evidence.confidence, 0.9) << text << ": " << evidence.encoding << evidence.why;
  }
}

TEST(LegacyDetectTest, ADeclarationDecidesWhatIsShort) {
  const std::string bytes = encoded("冥王星", "euc-jp-2007");
  const EncodingEvidence japanese = decoders().detect(bytes, {.whole = true, .declared = "EUC-JP"});
  EXPECT_EQ(japanese.encoding, "euc-jp");
  EXPECT_EQ(japanese.declared, "EUC-JP");
  EXPECT_THAT(japanese.why, HasSubstr("declared"));
  const EncodingEvidence chinese = decoders().detect(bytes, {.whole = true, .declared = "gbk"});
  EXPECT_EQ(chinese.encoding, "gb18030");
  EXPECT_LT(chinese.confidence, 0.9);
}

TEST(LegacyDetectTest, AWrongDeclarationIsOverruled) {
  for (const char* lie : {"utf-8", "big5", "iso-8859-1", "euc-kr", "shift_jis", "windows-1251"}) {
    const EncodingEvidence evidence =
        decoders().detect(encoded(kSimplified, "gb18030"), {.whole = true, .declared = lie});
    EXPECT_EQ(evidence.encoding, "gb18030") << lie;
    EXPECT_GE(evidence.confidence, 0.9) << lie;
    EXPECT_EQ(evidence.declared, lie);
  }
}

TEST(LegacyDetectTest, FewCharactersAreNotSure) {
  for (const char* text : {"什么", "同时", "学校", "新闻标题", "数据清洗，编码", "冥王星"}) {
    const EncodingEvidence evidence = decoders().detect(encoded(text, "gb18030"), {.whole = true});
    EXPECT_LT(evidence.confidence, 0.9) << text << " as " << evidence.encoding;
    EXPECT_THAT(evidence.candidates, ::testing::Contains("gb18030")) << text;
  }
}

// UTF-8 with few characters of two bytes: accents are common there, 喂 in GBK is a Greek letter.
TEST(LegacyDetectTest, ShortUtf8) {
  for (const char* text : {"café", "It’s a café.", "£5 · 100 °C © 2020", "Nguyễn Văn An",
                           "Straße – Köln", "Привет, мир", "Łódź"}) {
    const EncodingEvidence evidence = decoders().detect(text, {.whole = true});
    EXPECT_EQ(evidence.encoding, "utf-8") << text;
    EXPECT_GE(evidence.confidence, 0.9) << text << ": " << evidence.why;
  }
  const EncodingEvidence greeting =
      decoders().detect(encoded("8768\n \"喂?\"\n \"喂?\" \"喂.\"", "gb18030"), {.whole = true});
  EXPECT_LT(greeting.confidence, 0.9) << greeting.encoding;
}

// Lines of UTF-8 in a file of GB18030 would be read as rare characters without any error.
TEST(LegacyDetectTest, MixedLinesAreNotSure) {
  std::string mixed;
  for (int i = 0; i < 30; ++i) {
    mixed += encoded(kSimplified, "gb18030") + "\n";
    if (i == 7) mixed += std::string(kSimplified) + "\n";
  }
  const EncodingEvidence evidence = decoders().detect(mixed, {.whole = true});
  EXPECT_EQ(evidence.encoding, "gb18030");
  EXPECT_LT(evidence.confidence, 0.9);
  EXPECT_THAT(evidence.why, HasSubstr("mixed with lines of UTF-8"));
}

// One broken line does not hide what the file is; the decoder refuses that line.
TEST(LegacyDetectTest, OneBadLineChangesNothing) {
  const std::string line = encoded(kSimplified, "gb18030") + "\n";
  std::string bytes = line + line + line + line;
  bytes[20] = '\xFF';  // everything behind it in its line is read out of step
  const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
  EXPECT_EQ(evidence.encoding, "gb18030");
  EXPECT_GE(evidence.confidence, 0.9);
}

// German of DOS: ü and the letter behind it are punctuation of Shift_JIS, Afrikaans 'n a kanji.
TEST(LegacyDetectTest, LatinWordsAreNotChinese) {
  std::string german;
  std::string afrikaans;
  std::string luganda;
  for (int i = 0; i < 40; ++i) {
    german +=
        "F\x81r Br\x81"
        "der \x81"
        "ber f\x81nf gr\x81ne H\x81te. ";
    afrikaans += "as \x92n bevoegde, met \x92n nasionale, in \x92n staat. ";
    luganda +=
        "muna\xA4"
        "apa tawi\xA4"
        "aru naqa\xA4"
        "ata k\xA4"
        "apa. ";
  }
  for (const std::string& bytes : {german, afrikaans, luganda}) {
    EXPECT_LT(decoders().detect(bytes, {.whole = true}).confidence, 0.9) << bytes.substr(0, 60);
  }
}

// Some Chinese characters between Latin letters do not make the others none.
TEST(LegacyDetectTest, CharactersBetweenLatinLetters) {
  const std::string text =
      "A股、T恤和K歌都是常用词，x的值为零，y是未知数。他们在KTV唱了一晚的歌，然后回家。";
  const EncodingEvidence evidence = decoders().detect(encoded(text, "gb18030"), {.whole = true});
  EXPECT_EQ(evidence.encoding, "gb18030");
  EXPECT_GE(evidence.confidence, 0.9) << evidence.why;
}

// Quotation marks of Big5 in English, each at its end of a word.
TEST(LegacyDetectTest, EnglishWithMarksOfBig5) {
  std::string text;
  for (int i = 0; i < 8; ++i) text += "It’s what America’s people—all—want: “peace.” ";
  const std::string bytes = encoded(text, "windows-950-2000");
  const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
  EXPECT_EQ(evidence.encoding, "big5");
  EXPECT_GE(evidence.confidence, 0.9) << evidence.why;
  std::string misplaced;
  for (int i = 0; i < 20; ++i) misplaced += "we “ are ” in the ’ middle “ of ” it ";
  EXPECT_LT(decoders().detect(encoded(misplaced, "windows-950-2000"), {.whole = true}).confidence,
            0.9);
}

}  // namespace
}  // namespace headrace::normalize
