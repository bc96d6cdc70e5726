// SPDX-License-Identifier: Apache-2.0
// Text of many languages in eight-bit encodings, whole and in pieces, with many accents and with
// few: whatever is accepted must read as the text that was written.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <vector>

#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/ucnv.h>
#include <unicode/unistr.h>

#include "base/counter_rng.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/test_data.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

constexpr double kAccepted = 0.9;
constexpr std::size_t kLongest = 150'000;  // bytes of each text

struct Text {
  std::string name;
  std::string utf8;
};

void add(const std::string& name, const std::string& bytes, std::vector<Text>* texts) {
  std::string utf8;
  if (bytes.size() > 200 &&
      decoders().declared("utf-8").value()->decode(bytes, &utf8).has_value()) {
    texts->push_back({name, std::move(utf8)});
  }
}

std::vector<Text> texts() {
  std::vector<Text> all;
  const std::filesystem::path data = data_folder();
  for (const auto& entry : std::filesystem::directory_iterator(data / "en-books-news/nltk")) {
    if (entry.path().extension() != ".zip") continue;
    for (const auto& [name, bytes] : files_of_zip(read_file(entry.path()))) {
      if (name.ends_with(".txt")) add(name, bytes, &all);
    }
  }
  add("botchan", read_file(data / "en-books-news/sentencepiece/botchan.txt"), &all);
  for (const auto& entry :
       std::filesystem::directory_iterator(data / "multi-wikipedia-mars/wikipedia_mars")) {
    const std::string name = entry.path().filename();
    if (name.find("utf8") != std::string::npos) add(name, read_gzip(entry.path()), &all);
  }
  for (const char* archive : {"lingua_testdata", "udhr_html"}) {
    const std::string path = data / "multi-lid-test" / (std::string(archive) + ".tar.gz");
    for (const auto& [name, bytes] : files_of_tar(read_gzip(path))) {
      if (name.find("words") == std::string::npos) add(name, bytes, &all);
    }
  }
  return all;
}

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};

bool has_c1_controls(const icu::UnicodeString& line) {
  for (std::int32_t i = 0; i < line.length(); ++i) {
    if (line[i] >= 0x80 && line[i] < 0xA0) return true;
  }
  return false;
}

// Lines that were read wrongly long before they came here have no true text. Turkish ı ş ğ read as
// ý þ ð, Hungarian ő and ű as õ and û, Romanian ă as ã: the detector undoes that, and is right.
bool is_spoilt(const std::string& name, const icu::UnicodeString& line) {
  if (line.indexOf(u"ï¿½") >= 0 || line.indexOf(u'¤') >= 0 || has_c1_controls(line)) return true;
  const std::string language = name.substr(0, name.find('/'));
  static const std::map<std::string, std::u16string> signs = {
      {"tr", u"ýþðÝÞÐ"}, {"hu", u"õûÕÛÅãæ"}, {"ro", u"ãþï¿½"},
      {"sk", u"¾"},      {"et", u"ő"},       {"czech.utf8.txt.gz", u"èàòêåõøñãù²³"}};
  const auto found = signs.find(language);
  return found != signs.end() &&
         std::any_of(found->second.begin(), found->second.end(),
                     [&](char16_t sign) { return line.indexOf(sign) >= 0; });
}

// The lines of `text` that `encoding` can write, as it writes them, up to kLongest bytes. Every
// `keep`th line with anything but ASCII stays as it is; the others lose their accents.
std::string lines_in(const Text& text, const std::string& encoding, std::uint64_t keep) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, CloseConverter> converter(
      ucnv_open(internal::resolve_encoding(encoding)->converter.c_str(), &error));
  ucnv_setFromUCallBack(converter.get(), UCNV_FROM_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                        &error);
  const icu::Normalizer2* parts = icu::Normalizer2::getNFDInstance(error);
  std::string bytes;
  std::uint64_t number = 0;
  for (std::size_t begin = 0; begin < text.utf8.size() && bytes.size() < kLongest;) {
    const std::size_t end = std::min(text.utf8.find('\n', begin), text.utf8.size());
    auto line = icu::UnicodeString::fromUTF8(
        icu::StringPiece(text.utf8.data() + begin, static_cast<std::int32_t>(end - begin)));
    begin = end + 1;
    if (is_spoilt(text.name, line)) continue;
    if (keep > 1 && mix64(++number) % keep != 0) {
      const icu::UnicodeString decomposed = parts->normalize(line, error);
      line.remove();
      for (std::int32_t i = 0; i < decomposed.length(); ++i) {
        if (decomposed[i] < 0x80) line.append(decomposed[i]);
      }
    }
    std::array<char, 8192> buffer;
    error = U_ZERO_ERROR;
    const std::int32_t length = ucnv_fromUChars(converter.get(), buffer.data(), buffer.size(),
                                                line.getBuffer(), line.length(), &error);
    if (U_FAILURE(error) || length >= static_cast<std::int32_t>(buffer.size())) continue;
    bytes.append(buffer.data(), static_cast<std::size_t>(length)).push_back('\n');
  }
  return bytes;
}

// English as publishers print it.
std::string with_quotation_marks(const std::string& plain) {
  std::string text;
  bool open = false;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char before = i > 0 ? plain[i - 1] : ' ';
    if (plain[i] == '"') {
      open = before == ' ' || before == '\n' || (!open && before == '(');
      text += open ? "“" : "”";
    } else if (plain[i] == '\'' && (before | 32) >= 'a' && (before | 32) <= 'z') {
      text += "’";
    } else {
      text.push_back(plain[i]);
    }
  }
  return text;
}

class WesternDataTest : public testing::Test {
 protected:
  void SetUp() override {
    if (data_folder().empty()) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
    texts_ = texts();
    ASSERT_GT(texts_.size(), 400U);
  }

  struct Count {
    std::size_t pieces = 0;
    std::size_t accepted = 0;
  };

  // Bytes that are valid UTF-8 by chance or nature are read as that, rightly or not.
  void check(std::string_view bytes, const std::string& name, const std::string& encoding,
             Count* count) {
    std::string truth;
    std::string text;
    if (decoders().declared("utf-8").value()->decode(bytes, &text).has_value()) return;
    if (!decoders().declared(encoding).value()->decode(bytes, &truth).has_value()) return;
    ++count->pieces;
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    if (evidence.confidence < kAccepted) return;
    ++count->accepted;
    const auto decoded = decoders().declared(evidence.encoding).value()->decode(bytes, &text);
    EXPECT_TRUE(decoded.has_value() && text == truth)
        << name << " in " << encoding << ", " << bytes.size() << " bytes, accepted as "
        << evidence.encoding << ": " << evidence.why;
  }

  void check_pieces(const std::string& bytes, const std::string& name, const std::string& encoding,
                    Count* count) {
    if (bytes.empty()) return;
    check(bytes, name, encoding, count);
    for (const std::size_t size : {200U, 700U, 2'500U, 9'000U, 65'536U}) {
      if (bytes.size() < 2 * size) break;
      const std::size_t at = mix64(bytes.size() + size) % (bytes.size() - size);
      check(std::string_view(bytes).substr(at, size), name, encoding, count);
    }
  }

  std::vector<Text> texts_;
};

TEST_F(WesternDataTest, NothingIsAcceptedAsAnotherText) {
  for (const char* encoding :
       {"windows-1252", "iso-8859-1", "windows-1251", "koi8-r", "windows-1250", "iso-8859-2",
        "windows-1254", "windows-1257", "windows-1253", "macintosh", "ibm-850", "ibm-866"}) {
    Count count;
    for (const Text& text : texts_) {
      // Nobody writes Romanian there, and its letters are those of windows-1250 in other places.
      if (text.name.starts_with("ro/") && encoding == std::string_view("windows-1254")) continue;
      for (const std::uint64_t keep : {1U, 12U}) {
        check_pieces(lines_in(text, encoding, keep), text.name, encoding, &count);
      }
    }
    std::printf("%-12s pieces %5zu accepted %4zu\n", encoding, count.pieces, count.accepted);
    EXPECT_GT(count.pieces, 100U) << encoding;
  }
}

TEST_F(WesternDataTest, EnglishWithQuotationMarks) {
  Count whole;
  Count pieces;
  for (const Text& text : texts_) {
    if (!text.name.starts_with("abc/") && !text.name.starts_with("genesis/english") &&
        !text.name.starts_with("webtext/") && text.name != "botchan") {
      continue;
    }
    const std::string bytes =
        lines_in({text.name, with_quotation_marks(text.utf8)}, "windows-1252", 1);
    check(bytes, text.name, "windows-1252", &whole);
    check_pieces(bytes, text.name, "windows-1252", &pieces);
  }
  std::printf("English books: %zu of %zu accepted whole, %zu of %zu with pieces\n", whole.accepted,
              whole.pieces, pieces.accepted, pieces.pieces);
  EXPECT_GE(whole.pieces, 6U);
  EXPECT_GE(whole.accepted * 10, whole.pieces * 8);
}

// Languages of windows-1252, of texts that its tables were not made from.
TEST_F(WesternDataTest, WesternDeclarations) {
  Count count;
  for (const char* name : {"cat", "dan", "deu_1996", "fin", "fra", "ita", "nob", "swe", "glg",
                           "por_PT", "por_BR", "deu_1901", "nld"}) {
    for (const Text& text : texts_) {
      if (text.name == "declaration/" + std::string(name) + ".html") {
        const std::size_t before = count.accepted;
        check(lines_in(text, "windows-1252", 1), text.name, "windows-1252", &count);
        std::printf("%s %s\n", name, count.accepted > before ? "accepted" : "undetermined");
      }
    }
  }
  EXPECT_GE(count.pieces, 8U);
  EXPECT_GE(count.accepted * 2, count.pieces);
}

// Speeches that were written in Taiwan: ’ “ ” — are those of Big5.
TEST_F(WesternDataTest, EnglishInBig5) {
  const Files speeches =
      files_of_zip(read_file(data_folder() + "/en-books-news/nltk/state_union.zip"));
  for (const char* name : {"1970-Nixon", "1971-Nixon", "1972-Nixon", "1973-Nixon", "1974-Nixon"}) {
    const std::string& bytes = speeches.at("state_union/" + std::string(name) + ".txt");
    const EncodingEvidence evidence = decoders().detect(bytes, {.whole = true});
    EXPECT_EQ(evidence.encoding, "big5") << name;
    EXPECT_GE(evidence.confidence, kAccepted) << name << ": " << evidence.why;
    std::string text;
    ASSERT_TRUE(decoders().declared("big5").value()->decode(bytes, &text).has_value());
    EXPECT_NE(text.find("’s "), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace headrace::normalize
