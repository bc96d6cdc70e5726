// SPDX-License-Identifier: Apache-2.0
#include "tokenize/byte_bpe.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace headrace::tokenize {
namespace {

using Ids = std::vector<std::uint32_t>;

std::array<std::uint32_t, 256> bytes_as_ids() {
  std::array<std::uint32_t, 256> ids{};
  std::iota(ids.begin(), ids.end(), 0U);
  return ids;
}

// The definition: the pair of lowest rank, leftmost, until there is none.
Ids merge_naively(const std::vector<Merge>& merges, std::string_view piece) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> rank_of;
  for (std::size_t rank = 0; rank < merges.size(); ++rank) {
    rank_of[{merges[rank].left, merges[rank].right}] = rank;
  }
  Ids ids;
  for (const char c : piece) ids.push_back(static_cast<std::uint8_t>(c));
  while (true) {
    std::size_t best = merges.size();
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < ids.size(); ++i) {
      const auto found = rank_of.find({ids[i], ids[i + 1]});
      if (found != rank_of.end() && found->second < best) best = found->second, at = i;
    }
    if (best == merges.size()) return ids;
    ids[at] = merges[best].merged;
    ids.erase(ids.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
}

Ids merged_by(const ByteBpe& bpe, std::string_view piece, bool long_way) {
  MergeScratch scratch;
  Ids ids(piece.size());
  ids.resize(long_way ? bpe.merge_long(piece, &scratch, ids.data())
                      : bpe.merge(piece, &scratch, ids.data()));
  return ids;
}

TEST(ByteBpeTest, Table) {
  const std::vector<Merge> merges = {{'a', 'b', 256}, {'b', 'c', 257}, {256, 'c', 258},
                                     {'a', 'a', 259}, {259, 259, 260}, {'x', 'y', 261},
                                     {'y', 'z', 262}, {'x', 'y', 261}};
  const ByteBpe bpe(bytes_as_ids(), merges);
  const struct {
    const char* piece;
    Ids ids;
  } cases[] = {
      {"a", {'a'}},          {"abc", {258}},
      {"bc", {257}},         {"aaa", {259, 'a'}},  // the leftmost pair first
      {"aaaaa", {260, 'a'}}, {"q", {'q'}},
      {"xyz", {'x', 262}},  // the later of two equal merges counts
  };
  for (const auto& c : cases) {
    EXPECT_EQ(merged_by(bpe, c.piece, false), c.ids) << c.piece;
    EXPECT_EQ(merged_by(bpe, c.piece, true), c.ids) << c.piece;
  }
}

TEST(ByteBpeTest, ShortAndLongEqualTheDefinition) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    // Random merges over four letters, ranks not in the order of ids, pairs repeated.
    std::vector<Merge> merges;
    std::vector<std::uint32_t> symbols = {'a', 'b', 'c', 'd'};
    for (std::uint32_t id = 256; id < 296; ++id) {
      merges.push_back(
          {symbols[random() % symbols.size()], symbols[random() % symbols.size()], id});
      symbols.push_back(id);
    }
    std::ranges::shuffle(merges, random);
    const ByteBpe bpe(bytes_as_ids(), merges);
    for (const std::size_t size : {1, 2, 7, 33, 64, 65, 200}) {
      std::string piece(size, ' ');
      for (char& c : piece) c = static_cast<char>('a' + random() % 4);
      const Ids expected = merge_naively(merges, piece);
      ASSERT_EQ(merged_by(bpe, piece, false), expected) << piece;
      ASSERT_EQ(merged_by(bpe, piece, true), expected) << piece;
    }
  }
}

}  // namespace
}  // namespace headrace::tokenize
