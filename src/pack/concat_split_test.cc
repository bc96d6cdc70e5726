// SPDX-License-Identifier: Apache-2.0
#include "pack/concat_split.h"

#include <algorithm>
#include <random>
#include <utility>

#include <gtest/gtest.h>

namespace headrace::pack {
namespace {

struct Case {
  const char* name;
  std::vector<std::uint64_t> documents;
  std::uint32_t length;
  std::vector<std::vector<Piece>> sequences;
  std::uint64_t leftover;
};

bool same(const Piece& a, const Piece& b) {
  return a.document == b.document && a.begin == b.begin && a.length == b.length;
}

TEST(ConcatSplitTest, PiecesOfSmallStreams) {
  const std::vector<Case> cases = {
      {"no documents", {}, 4, {}, 0},
      {"only empty documents", {0, 0}, 4, {}, 0},
      {"too short", {1, 2}, 4, {}, 3},
      {"exact", {4}, 4, {{{0, 0, 4}}}, 0},
      {"two documents in one", {1, 3}, 4, {{{0, 0, 1}, {1, 0, 3}}}, 0},
      {"a document over two", {3, 5, 1}, 4, {{{0, 0, 3}, {1, 0, 1}}, {{1, 1, 4}}}, 1},
      {"empty ones everywhere",
       {0, 2, 0, 0, 3, 0, 1, 0},
       3,
       {{{1, 0, 2}, {4, 0, 1}}, {{4, 1, 2}, {6, 0, 1}}},
       0},
      {"one giant", {10}, 3, {{{0, 0, 3}}, {{0, 3, 3}}, {{0, 6, 3}}}, 1},
      {"length 1", {2, 0, 1}, 1, {{{0, 0, 1}}, {{0, 1, 1}}, {{2, 0, 1}}}, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const ConcatSplit split(c.documents, c.length);
    ASSERT_EQ(split.sequences(), c.sequences.size());
    EXPECT_EQ(split.leftover_tokens(), c.leftover);
    std::vector<Piece> pieces = {{99, 99, 99}};  // what was there before must go
    for (std::size_t s = 0; s < c.sequences.size(); ++s) {
      split.pieces(s, &pieces);
      EXPECT_TRUE(std::ranges::equal(pieces, c.sequences[s], same)) << "sequence " << s;
    }
  }
}

// Laid end to end, the pieces of all sequences are the documents end to end, less the leftover.
TEST(ConcatSplitTest, PiecesLaidEndToEndAreTheStream) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 200; ++round) {
    const std::uint32_t length = 1 + random() % 40;
    std::vector<std::uint64_t> documents(random() % 60);
    for (auto& tokens : documents) tokens = random() % 3 == 0 ? 0 : random() % (1 + random() % 200);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> stream;
    for (std::uint64_t d = 0; d < documents.size(); ++d) {
      for (std::uint64_t t = 0; t < documents[d]; ++t) stream.emplace_back(d, t);
    }

    const ConcatSplit split(documents, length);
    ASSERT_EQ(split.total_tokens(), stream.size());
    ASSERT_EQ(split.sequences() * length + split.leftover_tokens(), stream.size());
    ASSERT_LT(split.leftover_tokens(), length);
    std::vector<Piece> pieces;
    std::size_t at = 0;
    for (std::uint64_t s = 0; s < split.sequences(); ++s) {
      split.pieces(s, &pieces);
      const std::size_t begin = at;
      for (const Piece& piece : pieces) {
        ASSERT_GT(piece.length, 0U);
        for (std::uint32_t i = 0; i < piece.length; ++i) {
          ASSERT_EQ(stream.at(at++), std::make_pair(piece.document, piece.begin + i));
        }
      }
      ASSERT_EQ(at - begin, length);
    }
    ASSERT_EQ(stream.size() - at, split.leftover_tokens());
  }
}

TEST(ConcatSplitTest, DocumentsBeyond32Bits) {
  const std::uint64_t huge = std::uint64_t{1} << 40;
  const ConcatSplit split(std::vector<std::uint64_t>{5, huge, 3}, 4096);
  EXPECT_EQ(split.sequences(), (huge + 8) / 4096);
  EXPECT_EQ(split.leftover_tokens(), 8U);
  std::vector<Piece> pieces;
  split.pieces(split.sequences() - 1, &pieces);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_TRUE(same(pieces[0], {1, huge - 4096 - 5, 4096}));
}

}  // namespace
}  // namespace headrace::pack
