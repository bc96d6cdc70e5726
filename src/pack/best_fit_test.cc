// SPDX-License-Identifier: Apache-2.0
#include "pack/best_fit.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace headrace::pack {
namespace {

using Lengths = std::vector<std::uint64_t>;

// Every token of every document is in exactly one sequence, none of which is too long.
void expect_whole(const Packing& packing, const Lengths& documents, std::uint32_t length,
                  bool keeps_documents) {
  std::vector<std::vector<std::pair<std::uint64_t, std::uint32_t>>> found(documents.size());
  std::uint64_t padding = 0;
  std::vector<Piece> pieces = {{99, 99, 99}};  // what was there before must go
  for (std::uint64_t s = 0; s < packing.sequences(); ++s) {
    packing.pieces(s, &pieces);
    std::uint64_t tokens = 0;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      ASSERT_GT(pieces[i].length, 0U);
      ASSERT_LT(pieces[i].document, documents.size());
      if (i > 0) {
        ASSERT_GT(pieces[i].document, pieces[i - 1].document);
      }
      tokens += pieces[i].length;
      found[pieces[i].document].emplace_back(pieces[i].begin, pieces[i].length);
    }
    ASSERT_GT(tokens, 0U);
    ASSERT_LE(tokens, length);
    padding += length - tokens;
  }
  EXPECT_EQ(packing.padding_tokens(), padding);
  EXPECT_EQ(packing.leftover_tokens(), 0U);
  for (std::size_t d = 0; d < documents.size(); ++d) {
    std::ranges::sort(found[d]);
    std::uint64_t end = 0;
    for (const auto& [begin, tokens] : found[d]) {
      ASSERT_EQ(begin, end);
      end += tokens;
    }
    ASSERT_EQ(end, documents[d]) << "document " << d;
    if (keeps_documents) {
      ASSERT_EQ(found[d].size(), (documents[d] + length - 1) / length) << "document " << d;
    }
  }
}

std::vector<std::vector<std::uint64_t>> documents_of(const Packing& packing) {
  std::vector<std::vector<std::uint64_t>> all;
  std::vector<Piece> pieces;
  for (std::uint64_t s = 0; s < packing.sequences(); ++s) {
    packing.pieces(s, &pieces);
    all.emplace_back();
    for (const Piece& piece : pieces) all.back().push_back(piece.document);
  }
  return all;
}

TEST(BestFitTest, SmallPackings) {
  using Sequences = std::vector<std::vector<std::uint64_t>>;
  const struct {
    const char* name;
    Lengths documents;
    Sequences sequences;
  } cases[] = {
      {"none", {}, {}},
      {"empty ones", {0, 0}, {}},
      {"one", {3}, {{0}}},
      {"two that fit", {4, 6}, {{0, 1}}},
      {"longest first", {5, 6, 4, 5}, {{0, 3}, {1, 2}}},
      {"into the smallest room", {7, 8, 2}, {{0}, {1, 2}}},
      {"longer than a sequence", {23, 7}, {{0}, {0}, {0, 1}}},
      {"as long as one", {10, 10}, {{0}, {1}}},
      {"with empty ones", {0, 5, 0, 5}, {{1, 3}}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const BestFit packing(c.documents, 10);
    EXPECT_EQ(documents_of(packing), c.sequences);
    expect_whole(packing, c.documents, 10, true);
  }
}

TEST(BestFitTest, NothingIsLostWhateverTheLengths) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 200; ++round) {
    const auto length = static_cast<std::uint32_t>(1 + random() % 5000);
    Lengths documents(random() % 300);
    for (auto& tokens : documents) {
      tokens = random() % 5 == 0 ? random() % (3 * length) : random() % (1 + length / 4);
    }
    const std::size_t window = 1 + random() % 400;
    expect_whole(BestFit(documents, length, window), documents, length, true);
  }
}

// No packing needs more than 11/9 of the best and one; the best is at least the tokens.
TEST(BestFitTest, PadsLittle) {
  std::mt19937_64 random(5);
  Lengths documents(50000);
  std::uint64_t total = 0;
  for (auto& tokens : documents) {
    tokens = 1 + static_cast<std::uint64_t>(std::exp(static_cast<double>(random() % 1000) / 110));
    total += tokens;
  }
  const BestFit packing(documents, 4096);
  EXPECT_LT(packing.padding_tokens() * 200, total);  // 0.5 %
  const BestFit narrow(documents, 4096, 100);
  EXPECT_GE(narrow.sequences(), packing.sequences());
}

// A window is packed as if the others were not there.
TEST(BestFitTest, WindowsAreApart) {
  const Lengths documents = {6, 6, 4, 4};
  EXPECT_EQ(BestFit(documents, 10, 4).sequences(), 2U);
  EXPECT_EQ(BestFit(documents, 10, 2).sequences(), 3U);
  EXPECT_EQ(documents_of(BestFit(documents, 10, 2)),
            (std::vector<std::vector<std::uint64_t>>{{0}, {1}, {2, 3}}));
}

TEST(BestFitTest, LongSequences) {
  const std::uint32_t length = 1U << 24;
  const Lengths documents = {length - 1, 1, length / 2, length / 2 + 1, length / 2 - 1};
  const BestFit packing(documents, length);
  EXPECT_EQ(packing.sequences(), 3U);
  expect_whole(packing, documents, length, true);
}

}  // namespace
}  // namespace headrace::pack
