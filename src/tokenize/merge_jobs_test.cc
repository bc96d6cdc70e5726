// SPDX-License-Identifier: Apache-2.0
// Merging in turn, at every instruction set of this machine, against merging one piece alone.
#include "tokenize/merge_jobs.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "tokenize/byte_bpe.h"

namespace headrace::tokenize {
namespace {

using Ids = std::vector<std::uint32_t>;

std::vector<Merge> drawn_merges(std::mt19937* random) {
  std::vector<Merge> merges;
  std::vector<std::uint32_t> symbols = {'a', 'b', 'c', 'd'};
  for (std::uint32_t id = 256; id < 356; ++id) {
    merges.push_back(
        {symbols[(*random)() % symbols.size()], symbols[(*random)() % symbols.size()], id});
    symbols.push_back(id);
  }
  std::ranges::shuffle(merges, *random);
  return merges;
}

TEST(MergeJobsTest, EqualMergingOnePieceAlone) {
  std::mt19937 random(7);
  std::array<std::uint32_t, 256> byte_ids{};
  std::iota(byte_ids.begin(), byte_ids.end(), 0U);
  for (int round = 0; round < 100; ++round) {
    const ByteBpe bpe(byte_ids, drawn_merges(&random));
    std::vector<std::string> pieces(1 + random() % 256);
    for (std::string& piece : pieces) {
      piece.resize(1 + random() % MergeJob::kMostSymbols);
      for (char& c : piece) c = static_cast<char>('a' + random() % 4);
    }
    for (const SimdLevel level : {SimdLevel::kScalar, SimdLevel::kAvx2, SimdLevel::kAvx512}) {
      if (level > best_simd_level()) continue;
      const MergeKernels& kernels = merge_kernels(level);
      std::vector<MergeJob> jobs(pieces.size());
      std::vector<std::uint16_t> active(pieces.size());
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        MergeJob& job = jobs[i];
        kernels.clear(&job);
        job.bytes = reinterpret_cast<const std::uint8_t*>(pieces[i].data());
        job.size = job.count = static_cast<std::uint32_t>(pieces[i].size());
        // As if each byte were a character: their ranks are asked of the table.
        job.whole_characters = i % 3 == 0;
        std::ranges::copy(pieces[i], job.symbols + 1);
      }
      kernels.run(bpe.tables(), jobs.data(), static_cast<std::uint32_t>(jobs.size()),
                  active.data());
      for (std::size_t i = 0; i < pieces.size(); ++i) {
        Ids expected(pieces[i].size());
        expected.resize(bpe.merge_short(pieces[i], expected.data()));
        ASSERT_EQ(Ids(jobs[i].symbols + 1, jobs[i].symbols + 1 + jobs[i].count), expected)
            << name_of(level) << ": " << pieces[i];
      }
    }
  }
}

// Enough pairs that buckets overflow.
TEST(MergeJobsTest, FullBuckets) {
  std::array<std::uint32_t, 256> byte_ids{};
  std::iota(byte_ids.begin(), byte_ids.end(), 0U);
  std::vector<Merge> merges;
  for (std::uint32_t left = 0; left < 256; ++left) {
    for (std::uint32_t right = 0; right < 256; ++right) {
      merges.push_back({left, right, 256 + (left << 8 | right)});
    }
  }
  const ByteBpe bpe(byte_ids, merges);
  std::size_t pairs = 0;
  bpe.for_each_pair([&](const DoneMerge& pair) {
    ++pairs;
    EXPECT_EQ(pair.rank, pair.left << 8 | pair.right);
    EXPECT_EQ(bpe.rank(pair.left, pair.right), pair.rank);
  });
  EXPECT_EQ(pairs, merges.size());
  EXPECT_EQ(bpe.rank(300, 1), kNone);
  EXPECT_EQ(bpe.rank(1, kNoSymbol), kNone);
}

}  // namespace
}  // namespace headrace::tokenize
