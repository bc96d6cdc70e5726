// SPDX-License-Identifier: Apache-2.0
#include "tokenize/backtrack.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tokenize/bpe_tables.h"

namespace headrace::tokenize {
namespace {

using Ids = std::vector<std::uint32_t>;

// A vocabulary over four letters as training makes it: parts before what is made of them. With
// `all_ways` each entry has a merge for every two entries that make it, as Llama-3's list has.
struct Vocabulary {
  Vocabulary(std::mt19937* random, bool all_ways) {
    std::iota(byte_ids.begin(), byte_ids.end(), 0U);
    for (int b = 0; b < 256; ++b) bytes_by_id.emplace_back(std::string(1, static_cast<char>(b)));
    std::vector<std::uint32_t> drawn = {'a', 'b', 'c', 'd'};
    while (drawn.size() < 60) {
      const std::uint32_t left = drawn[(*random)() % drawn.size()];
      const std::uint32_t right = drawn[(*random)() % drawn.size()];
      const std::string both = *bytes_by_id[left] + *bytes_by_id[right];
      if (std::ranges::find(bytes_by_id, both) != bytes_by_id.end()) continue;
      const auto id = static_cast<std::uint32_t>(bytes_by_id.size());
      if (all_ways) {
        for (std::size_t cut = 1; cut < both.size(); ++cut) {
          const auto first = std::ranges::find(bytes_by_id, both.substr(0, cut));
          const auto second = std::ranges::find(bytes_by_id, both.substr(cut));
          if (first == bytes_by_id.end() || second == bytes_by_id.end()) continue;
          merges.push_back({static_cast<std::uint32_t>(first - bytes_by_id.begin()),
                            static_cast<std::uint32_t>(second - bytes_by_id.begin()), id});
        }
      } else {
        merges.push_back({left, right, id});
      }
      bytes_by_id.emplace_back(both);
      drawn.push_back(id);
    }
  }

  std::array<std::uint32_t, 256> byte_ids{};
  std::vector<std::optional<std::string>> bytes_by_id;
  std::vector<Merge> merges;
};

TEST(BacktrackerTest, EqualsMergingForListsAsTrainingMakesThem) {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    const Vocabulary vocabulary(&random, round % 2 == 1);
    const ByteBpe bpe(vocabulary.byte_ids, vocabulary.merges);
    const BpeTables::WholePieces none;
    const BpeTables tables(bpe, vocabulary.bytes_by_id, none);
    const Backtracker* const backtracker = tables.backtracker();
    ASSERT_NE(backtracker, nullptr);
    MergeScratch scratch;
    BacktrackScratch backtrack_scratch;
    for (const std::size_t size : {1, 2, 5, 40, 65, 200, 1000}) {
      std::string piece(size, ' ');
      const unsigned letters = 1 + random() % 4;
      for (char& c : piece) c = static_cast<char>('a' + random() % letters);
      Ids expected(size);
      expected.resize(bpe.merge_long(piece, &scratch, expected.data()));
      Ids found(size);
      found.resize(backtracker->merge(piece, &backtrack_scratch, found.data()));
      ASSERT_EQ(found, expected) << "round " << round << ": " << piece;
    }
  }
}

// Ranks in any order are no times. What is merged out of order is looked for in each piece.
TEST(BacktrackerTest, ListsOutOfOrder) {
  std::mt19937 random(6);
  int used = 0;
  int refused = 0;
  for (int round = 0; round < 400; ++round) {
    Vocabulary vocabulary(&random, round % 2 == 1);
    for (int i = 0; i < 1 + round % 5; ++i) {  // some merges go elsewhere
      const auto from = vocabulary.merges.begin() +
                        static_cast<std::ptrdiff_t>(random() % vocabulary.merges.size());
      const Merge moved = *from;
      vocabulary.merges.erase(from);
      vocabulary.merges.insert(vocabulary.merges.begin() +
                                   static_cast<std::ptrdiff_t>(random() % vocabulary.merges.size()),
                               moved);
    }
    const ByteBpe bpe(vocabulary.byte_ids, vocabulary.merges);
    const BpeTables::WholePieces none;
    const BpeTables tables(bpe, vocabulary.bytes_by_id, none);
    const Backtracker* const backtracker = tables.backtracker();
    ASSERT_NE(backtracker, nullptr);
    MergeScratch scratch;
    BacktrackScratch backtrack_scratch;
    for (const std::size_t size : {2, 5, 9, 20, 70, 300}) {
      std::string piece(size, ' ');
      const unsigned letters = 1 + random() % 4;
      for (char& c : piece) c = static_cast<char>('a' + random() % letters);
      Ids expected(size);
      expected.resize(bpe.merge_long(piece, &scratch, expected.data()));
      Ids found(size);
      found.resize(tables.bpe().merge_long(piece, &scratch, found.data()));
      ASSERT_EQ(found, expected) << "reduced, round " << round << ": " << piece;
      (backtracker->is_for(piece) ? used : refused) += 1;
      if (!backtracker->is_for(piece)) continue;
      found.resize(size);
      found.resize(backtracker->merge(piece, &backtrack_scratch, found.data()));
      ASSERT_EQ(found, expected) << "round " << round << ": " << piece;
    }
  }
  EXPECT_GT(used, 500);
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace headrace::tokenize
