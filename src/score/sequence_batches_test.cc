// SPDX-License-Identifier: Apache-2.0
#include "score/sequence_batches.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace headrace::score {
namespace {

TEST(SequenceBatchesTest, LengthsArePaddedToMultiplesUpToTheLongest) {
  EXPECT_EQ(padded_length(1, 512), 16U);
  EXPECT_EQ(padded_length(16, 512), 16U);
  EXPECT_EQ(padded_length(17, 512), 32U);
  EXPECT_EQ(padded_length(49, 50), 50U);
  EXPECT_EQ(padded_length(5, 5), 5U);
}

TEST(SequenceBatchesTest, EachSequenceStandsInOneBatchOfItsLength) {
  std::vector<std::size_t> tokens;
  for (std::size_t i = 0; i < 500; ++i) tokens.push_back(2 + i * i % 127);
  std::vector<int> seen(tokens.size());
  std::size_t last = 1 << 20;
  for (const SequenceBatch& batch : batches_by_length(tokens, 100, 256)) {
    EXPECT_LE(batch.length, last);
    last = batch.length;
    EXPECT_TRUE(batch.rows.size() == 1 || batch.rows.size() * batch.length <= 256);
    for (const std::uint32_t row : batch.rows) {
      ++seen[row];
      EXPECT_EQ(batch.length, padded_length(tokens[row], 100));
    }
  }
  EXPECT_TRUE(std::ranges::all_of(seen, [](int count) { return count == 1; }));
}

TEST(SequenceBatchesTest, FullBatchesAndOneRowAtLeast) {
  EXPECT_EQ(batches_by_length(std::vector<std::size_t>(10, 16), 512, 64).size(), 3U);
  EXPECT_EQ(batches_by_length(std::vector<std::size_t>(3, 100), 512, 64).size(), 3U);
  EXPECT_TRUE(batches_by_length({}, 512, 64).empty());
}

}  // namespace
}  // namespace headrace::score
