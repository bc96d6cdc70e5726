// SPDX-License-Identifier: Apache-2.0
#include "normalize/internal/mojibake.h"

#include <cstdio>
#include <simdjson.h>

#include <gtest/gtest.h>

#include "normalize/internal/test_data.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

struct Case {
  std::string before;
  std::string after;
  std::size_t changes;
};

std::string repaired(std::string text) {
  static const auto step = make_step("mojibake", {}).value();
  std::string scratch;
  step->apply(text, scratch);
  return text;
}

void check(const std::vector<Case>& cases) {
  const auto step = make_step("mojibake", {}).value();
  std::string scratch;
  for (const Case& c : cases) {
    std::string text = c.before;
    EXPECT_EQ(step->apply(text, scratch), c.changes) << c.before;
    EXPECT_EQ(text, c.after);
    EXPECT_EQ(step->apply(text, scratch), 0U) << "again: " << c.before;
  }
}

// `text` in `encoding`, read as `carrier`.
std::string misread(const std::string& text, const char* encoding, const char* carrier) {
  const std::string bytes = encoded(text, encoding);
  std::string out;
  icu::UnicodeString(bytes.data(), static_cast<std::int32_t>(bytes.size()), carrier)
      .toUTF8String(out);
  return out;
}

TEST(MojibakeTest, RepairsUtf8ReadInOneByte) {
  check({
      {"le cafÃ© dâ€™en face", "le café d’en face", 2},
      {"NicolÃ¡s y MarÃ­a", "Nicolás y María", 2},
      {"Р“РґРµ СЂСѓСЃСЃРєРёР№ С‚РµРєСЃС‚", "Где русский текст", 3},
      {"g√¢teaux, r√©gime √©quilibr√©", "gâteaux, régime √©quilibré", 3},
      {"Tiß║┐ng Viß╗çt", "Tiếng Việt", 2},
      {"ç®€ä½“ä¸­æ–‡ï¼Œä½\u00A0å¥½", "简体中文，你好", 1},
      {"ðŸ˜€", "😀", 1},
  });
}

TEST(MojibakeTest, TakesOffTwoLayers) {
  check({
      {"Iggy Pop (nÃƒÂ© Jim Osterberg)", "Iggy Pop (né Jim Osterberg)", 1},
      {"doesnÃ¢â‚¬â„¢t", "doesn’t", 1},
  });
}

TEST(MojibakeTest, RepairsWhatEachCarrierMadeOfChinese) {
  const std::string text = "火星是太阳系八大行星之一，也是离太阳第四近的行星。";
  for (const char* carrier : {"windows-1252", "windows-1251", "macintosh", "ibm-437"}) {
    const std::string wrong = misread(text, "utf-8", carrier);
    if (wrong.find("\uFFFD") != std::string::npos) continue;
    EXPECT_EQ(repaired(wrong), text) << carrier;
  }
  EXPECT_EQ(repaired(misread(text, "utf-8", "iso-8859-1")), text);
}

TEST(MojibakeTest, RepairsChineseEncodings) {
  check({
      {misread("中文编码", "utf-8", "gb18030"), "中文编码", 1},
      {"it" + misread("’s", "utf-8", "gb18030"), "it’s", 1},
      {misread("我们的国家在发展中", "gb18030", "iso-8859-1"), "我们的国家在发展中", 1},
  });
}

TEST(MojibakeTest, LeavesWhatLostAByte) {
  for (const char* text : {"SlovenÄ\uFFFDina", "Ð ÑƒÑ\uFFFDÑ\uFFFDÐºÐ¸Ð¹", "à®®à®¿à®´à¯\uFFFD",
                           "voilÃ  le travail", "中文\uFFFD涓"})
    check({{text, text, 0}});
}

TEST(MojibakeTest, LeavesTextAlone) {
  for (const char* text : {"",
                           "plain",
                           "été à l’école, naïve Straße",
                           "SÓ… É… IRMÃ… NESTLÉ® ZZAJÉ’s",
                           "5×£35 2012—∞",
                           "(-1/2)! = √π and x√y",
                           "HÅØYA ER BLÅØYD",
                           "MÄ£ÄM ÌÑÌ Q £ÄGÌ GÄLÄW",
                           "├┤a┼┐a┼┐a",
                           "дії та події, Рік, ВІКІ",
                           "ÄÄÄÄÄÄ ÖÖÖÖ ÄÖÄÖÄÖ",
                           "café’—he said",
                           "caf茅 茅台",
                           "中文，没有乱码：联通、移动",
                           "日本語の文章です",
                           "한국어 문장",
                           "NICIODATĂ™ AHÅ™,",
                           "Ελληνικά κείμενα",
                           "Türkçe Ğ İ ş",
                           "Tiếng Việt có dấu",
                           "ÏÐÈÂÅÒ ÌÈÐ ÂÑÅÌ"})
    check({{text, text, 0}});
}

// One stretch of a megabyte: a look at all of it for each of its places would take minutes.
TEST(MojibakeTest, LongStretches) {
  for (const char* piece : {"’Ã©", "ÃƒÂ©", "ä¸­", "é", "涓枃", "ÖÐ¹ú"}) {
    std::string text;
    while (text.size() < 1 << 20) text += piece;
    const std::string once = repaired(text);
    EXPECT_EQ(repaired(once), once) << piece;
  }
}

TEST(MojibakeTest, ShareOfATextIsMeasured) {
  EXPECT_EQ(internal::mojibake_share(""), 0);
  EXPECT_EQ(internal::mojibake_share("sound text, été"), 0);
  EXPECT_DOUBLE_EQ(internal::mojibake_share("cafÃ©"), 2.0 / 5);
  EXPECT_EQ(internal::mojibake_share(misread("中文编码", "utf-8", "gb18030")), 1);
}

struct Score {
  int repaired = 0;
  int partly = 0;  // some of its places
  int left = 0;
  int sound = 0;    // rightly unchanged
  int changed = 0;  // should have stayed as it is
};

// The cases of one file of ftfy's tests: what was found in the wild, and how it is repaired.
Score score(const std::string& name) {
  Score result;
  simdjson::dom::parser parser;
  const std::string json =
      read_file(data_folder() + "/enc-mojibake/ftfy/tests/test-cases/" + name + ".json");
  for (const simdjson::dom::element test : parser.parse(json)) {
    const std::string original{test["original"].get_string().value()};
    std::string_view fixed = test["fixed"];
    if (std::string_view encoding; !test["fixed-encoding"].get(encoding)) fixed = encoding;
    const std::string text = repaired(original);
    if (text == fixed) {
      ++(text == original ? result.sound : result.repaired);
    } else if (text == original) {
      ++result.left;
    } else {
      ++(fixed == original ? result.changed : result.partly);
    }
  }
  std::printf("%s: %d repaired, %d in part, %d left, %d rightly unchanged, %d wrongly changed\n",
              name.c_str(), result.repaired, result.partly, result.left, result.sound,
              result.changed);
  return result;
}

TEST(MojibakeDataTest, CasesFromTheWild) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  EXPECT_GE(score("in-the-wild").repaired, 34);
  EXPECT_GE(score("synthetic").repaired, 9);
  EXPECT_GE(score("language-names").repaired, 9);
  score("known-failures");
}

TEST(MojibakeDataTest, NothingSoundIsChanged) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  for (const char* name : {"in-the-wild", "synthetic", "language-names", "known-failures"})
    EXPECT_EQ(score(name).changed, 0) << name;
  // "DrÃ¥ber" is kept by its case as ambiguous; it says that å was meant, which is what comes out.
  EXPECT_LE(score("negative").changed, 1);
  const std::string strings = read_file(data_folder() + "/enc-mojibake/blns/blns.txt");
  ASSERT_GT(strings.size(), 10000U);
  EXPECT_EQ(repaired(strings), strings);
}

// Each line of an article, as each wrong decoder would have made it where that loses nothing.
TEST(MojibakeDataTest, ChineseLinesOfEachCarrier) {
  if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  std::istringstream article(
      read_file(data_folder() + "/multi-wikipedia-mars/wikipedia_mars/chinese.utf8.txt"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(article, line);) {
    if (line.size() > 100) lines.push_back(line);
  }
  ASSERT_GT(lines.size(), 100U);
  for (const char* carrier : {"iso-8859-1", "windows-1251", "macintosh", "ibm-437"}) {
    std::size_t tried = 0;
    std::size_t right = 0;
    for (const std::string& line : lines) {
      EXPECT_EQ(repaired(line), line);
      const std::string wrong = misread(line, "utf-8", carrier);
      if (wrong.find("\uFFFD") != std::string::npos || wrong == line) continue;
      ++tried;
      right += repaired(wrong) == line;
    }
    std::printf("%s: %zu of %zu lines repaired\n", carrier, right, tried);
    EXPECT_GE(static_cast<double>(right), 0.95 * static_cast<double>(tried)) << carrier;
    EXPECT_GT(tried, 20U) << carrier;
  }
}

}  // namespace
}  // namespace headrace::normalize
