// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <zlib.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "base/counter_rng.h"
#include "dedup/exact.h"

namespace headrace::dedup {
namespace {

using testing::HasSubstr;

struct Steps {
  bool nfkc;
  bool casefold;
  bool punctuation;
  bool whitespace;

  std::vector<std::string> names() const {
    std::vector<std::string> names;  // not in the order of application
    if (whitespace) names.push_back("whitespace");
    if (casefold) names.push_back("casefold");
    if (nfkc) names.push_back("nfkc");
    if (punctuation) names.push_back("punctuation");
    return names;
  }
};

std::vector<Steps> all_steps() {
  std::vector<Steps> all;
  for (int bits = 0; bits < 16; ++bits) {
    all.push_back({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0});
  }
  return all;
}

HashView must_make(const Steps& steps) {
  auto view = HashView::make(steps.names());
  EXPECT_TRUE(view.has_value()) << view.error().message();
  return *std::move(view);
}

// The definition: whole text, step after step, through ICU's UTF-16 functions.
std::string reference(const Steps& steps, std::string_view text) {
  UErrorCode code = U_ZERO_ERROR;
  auto u = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  if (steps.nfkc) u = icu::Normalizer2::getNFKCInstance(code)->normalize(u, code);
  EXPECT_TRUE(U_SUCCESS(code));
  if (steps.casefold) u.foldCase();
  icu::UnicodeString out;
  for (std::int32_t i = 0; i < u.length(); i = u.moveIndex32(i, 1)) {
    const UChar32 c = u.char32At(i);
    const bool is_punctuation = (U_GET_GC_MASK(c) & U_GC_P_MASK) != 0;
    if (steps.punctuation && is_punctuation) continue;
    if (steps.whitespace && u_hasBinaryProperty(c, UCHAR_WHITE_SPACE)) {
      if (!out.isEmpty() && out[out.length() - 1] != ' ') out.append(' ');
      continue;
    }
    out.append(c);
  }
  if (steps.whitespace && out.endsWith(' ')) out.truncate(out.length() - 1);
  std::string utf8;
  return out.toUTF8String(utf8);
}

std::string utf8_of(const std::vector<UChar32>& code_points) {
  std::string utf8;
  return icu::UnicodeString::fromUTF32(code_points.data(),
                                       static_cast<std::int32_t>(code_points.size()))
      .toUTF8String(utf8);
}

TEST(HashViewTest, StepsDoWhatTheyAreNamedFor) {
  struct Case {
    std::vector<std::string> steps;
    const char* text;
    const char* view;
  };
  const Case cases[] = {
      {{}, " Ａ，b ", " Ａ，b "},
      {{"nfkc"}, "Ｈｅｌｌｏ，世界！①²ﬁ㎏ｶﾞ", "Hello,世界!12fikgガ"},
      {{"nfkc"}, "e\u0301 \u1112\u1161\u11AB", "\u00E9 \uD55C"},
      {{"casefold"}, "STRASSE Straße ΣΊΣΥΦΟΣ Ａ", "strasse strasse σίσυφοσ ａ"},
      {{"whitespace"}, "\r\n  a\t b\u3000\u00A0c\u2028\n", "a b c"},
      {{"whitespace"}, " \n\u3000", ""},
      {{"punctuation"}, "他说：“好！”(ok) a+b=c", "他说好ok a+b=c"},
      {{"punctuation", "whitespace"}, "a , b 。 c.", "a b c"},
      {{"nfkc", "casefold", "whitespace"}, "　　第１章　ＡＢＣ，\n　　……", "第1章 abc, ......"},
      {{"whitespace", "nfkc"}, "a\u00A8b", "a \u0308b"},  // diaeresis: space and mark
      {{"nfkc", "whitespace"}, "a \u0301b", "a \u0301b"},
  };
  for (const Case& c : cases) {
    auto view = HashView::make(c.steps);
    ASSERT_TRUE(view.has_value());
    EXPECT_EQ(view->view(c.text), c.view) << c.text;
  }
}

TEST(HashViewTest, EveryCodePointAlone) {
  for (const Steps& steps : all_steps()) {
    HashView view = must_make(steps);
    for (UChar32 c = 0; c <= 0x10FFFF; ++c) {
      if (U_IS_SURROGATE(c)) continue;
      const std::string text = utf8_of({c});
      ASSERT_EQ(view.view(text), reference(steps, text)) << std::hex << c;
      if (c > 0x3FFFF && c < 0xE0000) c = 0xE0000;  // nothing is assigned between
    }
  }
}

// Random text from the ranges where code points interact: marks, jamo, kana, compatibility forms.
TEST(HashViewTest, NeighboursInteractAsInIcu) {
  constexpr std::pair<UChar32, UChar32> kRanges[] = {
      {0x20, 0x7E},      {0x4E00, 0x9FFF},   {0x3000, 0x30FF},   {0xFF00, 0xFFEF},
      {0x300, 0x36F},    {0x1100, 0x11FF},   {0xAC00, 0xAC60},   {0xC0, 0x24F},
      {0x1E00, 0x1FFF},  {0x900, 0x9FF},     {0xF900, 0xFAFF},   {0x2000, 0x206F},
      {0x2100, 0x24FF},  {0x591, 0x5F4},     {0xFB1D, 0xFDFF},   {0x3131, 0x33FF},
      {0x9, 0xD},        {0x1D15E, 0x1D1BB}, {0x11099, 0x110BA}, {0x1D400, 0x1D7FF},
      {0x1F300, 0x1F6FF}};
  constexpr CounterRng rng(5, purpose("test"));
  std::uint64_t draw = 0;
  std::vector<HashView> views;
  for (const Steps& steps : all_steps()) views.push_back(must_make(steps));
  for (int round = 0; round < 20000; ++round) {
    std::vector<UChar32> code_points;
    const auto& favoured = kRanges[rng.below(draw++, std::size(kRanges))];
    const std::uint64_t length = 1 + rng.below(draw++, 24);
    while (code_points.size() < length) {
      const auto& range =
          rng.below(draw++, 2) == 0 ? favoured : kRanges[rng.below(draw++, std::size(kRanges))];
      code_points.push_back(
          range.first + static_cast<UChar32>(rng.below(draw++, range.second - range.first + 1)));
    }
    const std::string text = utf8_of(code_points);
    for (std::size_t i = 0; i < views.size(); ++i) {
      const Steps steps = all_steps()[i];
      ASSERT_EQ(views[i].view(text), reference(steps, text)) << "steps " << i << ": " << text;
    }
  }
}

// Whole real texts: novels, and Wikipedia in many languages.
TEST(HashViewTest, RealTextsAsInIcu) {
  const char* data = std::getenv("HEADRACE_DATA");
  if (data == nullptr) GTEST_SKIP() << "skipped: HEADRACE_DATA is not set";
  std::vector<std::string> texts;
  for (const char* folder :
       {"zh-novels/utf8", "multi-wikipedia-mars", "en-books-news", "zh-reviews", "zh-poetry"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(data) / folder)) {
      if (!entry.is_regular_file()) continue;
      gzFile file = gzopen(entry.path().c_str(), "rb");  // reads what is not compressed too
      std::string text(std::size_t{8} << 20, '\0');
      text.resize(static_cast<std::size_t>(
          std::max(0, gzread(file, text.data(), static_cast<unsigned>(text.size())))));
      gzclose(file);
      // Valid UTF-8 only: through UTF-16 and back.
      std::string valid;
      icu::UnicodeString::fromUTF8(text).toUTF8String(valid);
      texts.push_back(std::move(valid));
    }
  }
  ASSERT_GT(texts.size(), 10u);
  std::size_t bytes = 0;
  for (const Steps& steps : {Steps{true, true, false, true}, Steps{true, true, true, true},
                             Steps{true, false, false, false}, Steps{false, true, true, false}}) {
    HashView view = must_make(steps);
    for (const std::string& text : texts) {
      ASSERT_TRUE(view.view(text) == reference(steps, text)) << text.substr(0, 100);
      bytes += text.size();
    }
  }
  EXPECT_GT(bytes, std::size_t{40} << 20);
}

// Not promised to mean anything, but the same each time and within the buffers.
TEST(HashViewTest, BytesThatAreNotUtf8) {
  constexpr CounterRng rng(6, purpose("test"));
  HashView view = must_make({true, true, true, true});
  HashView again = must_make({true, true, true, true});
  std::uint64_t draw = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string text(rng.below(draw++, 40), '\0');
    for (char& byte : text) byte = static_cast<char>(rng.below(draw++, 256));
    if (round % 2 == 0) text = "好\u0301" + text;
    // A copy of the exact size, so that a sanitizer sees a look beyond the end.
    const std::vector<char> tight(text.begin(), text.end());
    const std::string_view exact(tight.data(), tight.size());
    ASSERT_EQ(view.hash(exact), again.hash(text));
  }
}

// ICU alone would take minutes: it sorts marks in quadratic time.
TEST(HashViewTest, AMegabyteOfMarksOnOneLetter) {
  HashView view = must_make({true, true, false, true});
  std::string marks = "x";
  for (int i = 0; i < 120; ++i) marks += "\u0301\u0316";
  EXPECT_EQ(view.view(marks), reference({true, true, false, true}, marks));
  while (marks.size() < (std::size_t{1} << 20)) marks += "\u0301\u0316";
  EXPECT_EQ(view.view(marks).size(), marks.size());
}

TEST(HashViewTest, EqualViewsHaveEqualHashes) {
  HashView view = must_make({true, true, false, true});
  EXPECT_EQ(view.hash("ＡＢＣ，　１２３\n"), view.hash(" abc,\t123"));
  EXPECT_NE(view.hash("abc"), view.hash("ab c"));
  EXPECT_EQ(view.hash("abc"), hash128("abc"));
}

TEST(HashViewTest, BuffersAreReusedSafely) {
  HashView view = must_make({true, true, false, true});
  std::string longer;
  for (int i = 0; i < 1000; ++i) longer += "\uFDFA";  // one code point, eighteen in NFKC
  const std::string expected = reference({true, true, false, true}, longer);
  EXPECT_EQ(view.view(longer), expected);
  EXPECT_EQ(view.view("x"), "x");
  EXPECT_EQ(view.view(""), "");
  EXPECT_EQ(view.view(longer), expected);
}

TEST(HashViewTest, UnknownStep) {
  const auto view = HashView::make({"nfkc", "casefolt"});
  ASSERT_FALSE(view.has_value());
  EXPECT_EQ(view.error().code(), Code::kInvalidArgument);
  EXPECT_THAT(view.error().message(), HasSubstr("did you mean 'casefold'?"));
}

}  // namespace
}  // namespace headrace::dedup
