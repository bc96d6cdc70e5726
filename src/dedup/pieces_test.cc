// SPDX-License-Identifier: Apache-2.0
#include "dedup/pieces.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace headrace::dedup {
namespace {

// "text|what goes with it" for each piece.
std::vector<std::string> shown(const std::string& text, PieceLevel level) {
  std::vector<Piece> pieces;
  find_pieces(text, level, &pieces);
  std::vector<std::string> all;
  for (const Piece& piece : pieces) {
    all.push_back(text.substr(piece.begin, piece.end - piece.begin) + "|" +
                  text.substr(piece.end, piece.cut_end - piece.end));
  }
  return all;
}

using Strings = std::vector<std::string>;

TEST(PiecesTest, Lines) {
  EXPECT_EQ(shown("", PieceLevel::kLine), Strings{});
  EXPECT_EQ(shown(" \n\t\n　\n", PieceLevel::kLine), Strings{});
  EXPECT_EQ(shown("甲\n乙", PieceLevel::kLine), (Strings{"甲|\n", "乙|"}));
  EXPECT_EQ(shown("a\n\nb\n\n \nc\r\nd\n\n", PieceLevel::kLine),
            (Strings{"a|\n\n", "b|\n\n \n", "c\r|\n", "d|\n"}));
}

TEST(PiecesTest, Paragraphs) {
  EXPECT_EQ(shown("\n\na\nb\n\n\nc\n", PieceLevel::kParagraph), (Strings{"a\nb|\n\n\n", "c|\n"}));
  EXPECT_EQ(shown("第一段。\n　　\n第二段。", PieceLevel::kParagraph),
            (Strings{"第一段。|\n　　\n", "第二段。|"}));
}

TEST(PiecesTest, ShortOnesAreNotHashedAndViewsAreCompared) {
  const auto view = HashView::make({"nfkc", "casefold", "whitespace"});
  ASSERT_TRUE(view);
  PieceHasher hasher(*view, 10);
  std::vector<Occurrence> found;
  hasher.add("}\n是的\nＨｅｌｌｏ  World\nhello world\t\n一二三四五六七八九\n一二三四五六七八九十",
             7, PieceLevel::kLine, &found);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].hash, found[1].hash);
  std::vector<Repeat> repeats;
  std::vector<Occurrence> rest;
  find_repeats(found, &repeats, &rest);
  ASSERT_EQ(repeats.size(), 1U);
  EXPECT_EQ(repeats[0].first_begin, 9U);
  EXPECT_EQ(rest.size(), 2U);
}

TEST(RepeatsTest, TheFirstByDocumentAndPlaceStaysInAnyOrder) {
  const Hash128 a{1, 2};
  const Hash128 b{1, 3};
  std::vector<Occurrence> all = {{a, 5, 0, 9},   {a, 2, 40, 49}, {b, 2, 0, 9},
                                 {a, 2, 20, 29}, {b, 9, 9, 18},  {a, 2, 25, 34}};
  std::vector<Repeat> wanted;
  std::vector<Occurrence> rest;
  std::vector<Occurrence> copy = all;
  find_repeats(copy, &wanted, &rest);
  ASSERT_EQ(wanted.size(), 3U);
  EXPECT_EQ(wanted[0], (Repeat{2, 40, 49, 2, 20}));
  EXPECT_EQ(wanted[1], (Repeat{5, 0, 9, 2, 20}));
  EXPECT_EQ(wanted[2], (Repeat{9, 9, 18, 2, 0}));
  EXPECT_EQ(rest.size(), 3U);  // two firsts, and one inside of a first
  for (int turn = 0; turn < 6; ++turn) {
    std::rotate(all.begin(), all.begin() + 1, all.end());
    std::vector<Repeat> repeats;
    copy = all;
    find_repeats(copy, &repeats, &rest);
    EXPECT_EQ(repeats, wanted);
  }
}

// Rounds over parts give what one round over all gives, once chains are resolved.
TEST(RepeatsTest, RoundsMakeNoDifference) {
  std::vector<Occurrence> all;
  for (std::uint64_t i = 0; i < 600; ++i) {
    const auto begin = static_cast<std::uint32_t>(i % 3 * 10);
    all.push_back({{i * i % 17, 0}, i / 3, begin, begin + 9});
  }
  std::vector<Occurrence> copy = all;
  std::vector<Repeat> wanted;
  std::vector<Occurrence> rest;
  find_repeats(copy, &wanted, &rest);
  resolve_chains(&wanted);
  for (const std::size_t parts : {2U, 7U}) {
    std::vector<Repeat> repeats;
    std::vector<Occurrence> left;
    for (std::size_t part = 0; part < parts; ++part) {
      std::vector<Occurrence> some(
          all.begin() + static_cast<std::ptrdiff_t>(600 * part / parts),
          all.begin() + static_cast<std::ptrdiff_t>(600 * (part + 1) / parts));
      find_repeats(some, &repeats, &left);
    }
    std::vector<Occurrence> last;
    find_repeats(left, &repeats, &last);
    resolve_chains(&repeats);
    EXPECT_EQ(repeats, wanted);
  }
}

}  // namespace
}  // namespace headrace::dedup
