// SPDX-License-Identifier: Apache-2.0
#include "tokenize/splitter.h"

#include <gtest/gtest.h>

namespace headrace::tokenize {
namespace {

using Pieces = std::vector<std::string>;

Pieces pieces_of(const Splitter& splitter, std::string_view text, std::size_t room) {
  std::vector<std::uint32_t> ends(room);
  Pieces pieces;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t count = splitter.split(text, begin, ends);
    if (count == 0) break;
    for (std::size_t i = 0; i < count; ++i) {
      pieces.emplace_back(text.substr(begin, ends[i] - begin));
      begin = ends[i];
    }
  }
  EXPECT_EQ(begin, text.size());
  return pieces;
}

struct Case {
  std::string text;
  Pieces pieces;
};

// The expected pieces are what tokenizers 0.22.2 gives for the pattern.
void expect_pieces(const Splitter& splitter, const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(pieces_of(splitter, c.text, 64), c.pieces);
    // Where the room for offsets ends must not matter.
    EXPECT_EQ(pieces_of(splitter, c.text, 1), c.pieces);
  }
}

TEST(Gpt2SplitterTest, Pieces) {
  expect_pieces(*make_gpt2_splitter(),
                {{"", {}},
                 {"Hello world", {"Hello", " world"}},
                 {"don't DON'T we'll", {"don", "'t", " DON", "'", "T", " we", "'ll"}},
                 {"a  b", {"a", " ", " b"}},
                 {"a \n b", {"a", " \n", " b"}},
                 {"end   ", {"end", "   "}},
                 {"\ta", {"\t", "a"}},
                 {"12345 678", {"12345", " 678"}},
                 {"x²½Ⅷ٣", {"x", "²½Ⅷ٣"}},
                 {"你好，世界", {"你好", "，", "世界"}},
                 {"  123", {" ", " 123"}},
                 {"a\u3000\u3000b", {"a", "\u3000", "\u3000", "b"}}});
}

TEST(Cl100kSplitterTest, PiecesOfLlama3) {
  expect_pieces(*make_cl100k_splitter({.digits = 3}),
                {{"Hello world", {"Hello", " world"}},
                 {"I'ſ IT'S", {"I", "'ſ", " IT", "'S"}},
                 {"1234567", {"123", "456", "7"}},
                 {"  123", {" ", " ", "123"}},
                 {"(a) -b", {"(a", ")", " -", "b"}},
                 {"--b", {"--", "b"}},
                 {"{\r\n\tc++;\r\n}", {"{\r\n", "\tc", "++;\r\n", "}"}},
                 {" \n \n x", {" \n \n", " x"}},
                 {"x \n  ", {"x", " \n", "  "}},
                 {"\u3000\u3000今天", {"\u3000", "\u3000今天"}},
                 {"a\u2028b", {"a", "\u2028b"}},
                 {"e\u0301a", {"e", "\u0301a"}}});
}

TEST(Cl100kSplitterTest, QwenTakesDigitsAlone) {
  expect_pieces(*make_cl100k_splitter({.digits = 1}),
                {{"a12 3", {"a", "1", "2", " ", "3"}}, {"½٣", {"½", "٣"}}});
}

TEST(Cl100kSplitterTest, Qwen35TakesMarksIntoWords) {
  expect_pieces(*make_cl100k_splitter({.digits = 1, .marks_in_words = true}),
                {{"e\u0301a b\u0301", {"e\u0301a", " b\u0301"}}, {".\u0301x", {".\u0301x"}}});
}

TEST(O200kSplitterTest, Pieces) {
  expect_pieces(*make_o200k_splitter({}),
                {{"camelCase HTMLParser", {"camel", "Case", " HTMLParser"}},
                 {"don't I'LL", {"don't", " I'LL"}},
                 {"中ABC", {"中", "ABC"}},
                 {"中ABCd", {"中ABCd"}},
                 {"a/b //\n/c", {"a", "/b", " //\n/", "c"}},
                 {"1234", {"123", "4"}},
                 {"ʰA", {"ʰ", "A"}},
                 {"\u0301AB", {"\u0301", "AB"}},
                 {"\u0301Ab", {"\u0301Ab"}}});
}

TEST(O200kSplitterTest, TekkenHasNoContractions) {
  expect_pieces(*make_o200k_splitter({.digits = 1, .contractions = false}),
                {{"don't", {"don", "'t"}}, {"12", {"1", "2"}}});
}

TEST(DeepseekSplitterTest, Pieces) {
  expect_pieces(*make_deepseek_splitter(),
                {{"  123", {"  ", "123"}},
                 {"1234567", {"123", "456", "7"}},
                 {"a今天b", {"a", "今天", "b"}},
                 {"今天\u309B・い", {"今天", "\u309B・", "い"}},
                 {" 今天", {" ", "今天"}},
                 {"foo.bar(x)", {"foo", ".bar", "(x", ")"}},
                 {".é", {".", "é"}},
                 {"\x01\x02", {"\x01\x02"}},
                 {"\x01\x02"
                  "a",
                  {"\x01",
                   "\x02"
                   "a"}},
                 {"é\u0301x", {"é\u0301x"}},
                 {"!!\r\n x", {"!!\r\n", " x"}},
                 {"\u3041\u3097\u3098い", {"\u3041", "\u3097", "\u3098い"}}});
}

TEST(WholeSplitterTest, OnePiece) {
  expect_pieces(*make_whole_splitter(), {{"", {}}, {"a b\nc", {"a b\nc"}}});
}

TEST(SplitterTest, UnknownPatternsAreNamed) {
  const auto one = splitter_for_pattern(R"(\w+)");
  ASSERT_FALSE(one.has_value());
  EXPECT_EQ(one.error().code(), Code::kUnsupported);
  EXPECT_NE(one.error().message().find(R"(\w+)"), std::string::npos);

  const std::vector<std::string> two = {R"(\p{N}{1,3})", R"(\s+)"};
  const auto sequence = splitter_for_patterns(two);
  ASSERT_FALSE(sequence.has_value());
  EXPECT_NE(sequence.error().message().find(R"(\s+)"), std::string::npos);
}

}  // namespace
}  // namespace headrace::tokenize
