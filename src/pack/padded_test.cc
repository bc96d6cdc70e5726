// SPDX-License-Identifier: Apache-2.0
#include "pack/padded.h"

#include <gtest/gtest.h>

namespace headrace::pack {
namespace {

std::vector<Piece> all_pieces(const Packing& packing) {
  std::vector<Piece> all;
  std::vector<Piece> pieces;
  for (std::uint64_t s = 0; s < packing.sequences(); ++s) {
    packing.pieces(s, &pieces);
    all.insert(all.end(), pieces.begin(), pieces.end());
  }
  return all;
}

void expect_same(const std::vector<Piece>& found, const std::vector<Piece>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].document, expected[i].document) << i;
    EXPECT_EQ(found[i].begin, expected[i].begin) << i;
    EXPECT_EQ(found[i].length, expected[i].length) << i;
  }
}

TEST(PaddedTest, EachDocumentBeginsASequence) {
  const std::vector<std::uint64_t> documents = {3, 0, 10, 4, 0, 5};
  const Padded packing(documents, 4);
  expect_same(all_pieces(packing),
              {{0, 0, 3}, {2, 0, 4}, {2, 4, 4}, {2, 8, 2}, {3, 0, 4}, {5, 0, 4}, {5, 4, 1}});
  EXPECT_EQ(packing.padding_tokens(), 7U * 4 - 22);
  EXPECT_EQ(packing.leftover_tokens(), 0U);
  EXPECT_EQ(Padded({}, 4).sequences(), 0U);
}

TEST(UnpackedTest, DocumentsAsTheyAreWithoutEmptyOnes) {
  const std::vector<std::uint64_t> documents = {3, 0, 10};
  const Unpacked packing(documents);
  expect_same(all_pieces(packing), {{0, 0, 3}, {2, 0, 10}});
  EXPECT_EQ(packing.padding_tokens(), 0U);
}

// The tokens that a packing accounts for do not depend on the length.
TEST(PackingTest, TokensAreTheSameForAllMethodsAndLengths) {
  std::vector<std::uint64_t> documents;
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    documents.push_back(i * i % 977 % 300);
    total += documents.back();
  }
  for (const Method method : {Method::kConcat, Method::kBestFit, Method::kPadded, Method::kNone}) {
    for (const std::uint32_t length : {1U, 7U, 64U, 4096U}) {
      const auto packing = make_packing(method, documents, length);
      std::uint64_t tokens = packing->leftover_tokens();
      for (const Piece& piece : all_pieces(*packing)) tokens += piece.length;
      EXPECT_EQ(tokens, total);
      if (method == Method::kNone) continue;
      EXPECT_EQ(packing->sequences() * length,
                total - packing->leftover_tokens() + packing->padding_tokens());
    }
  }
}

}  // namespace
}  // namespace headrace::pack
