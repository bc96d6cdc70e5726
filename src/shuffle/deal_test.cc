// SPDX-License-Identifier: Apache-2.0
#include "shuffle/deal.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace headrace::shuffle {
namespace {

// The definition: sort all slots by lane, deal equal runs.
std::vector<std::vector<std::uint64_t>> dealt_by_sorting(const GlobalBatch& batch) {
  std::vector<std::uint64_t> order(batch.size);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::uint64_t a, std::uint64_t b) {
    return (batch.first + a) % batch.lanes < (batch.first + b) % batch.lanes;
  });
  std::vector<std::vector<std::uint64_t>> ranks(batch.world);
  for (std::uint64_t p = 0; p < batch.size; ++p) {
    ranks[p * batch.world / batch.size].push_back(order[p]);
  }
  for (auto& slots : ranks) std::sort(slots.begin(), slots.end());
  return ranks;
}

TEST(DealTest, AgreesWithSorting) {
  for (const std::uint32_t lanes : {1U, 2U, 7U, 8U, 64U}) {
    for (const std::uint32_t world : {1U, 2U, 3U, 8U, 13U}) {
      for (const std::uint64_t size : {1ULL, 2ULL, 5ULL, 8ULL, 13ULL, 16ULL, 100ULL}) {
        for (const std::uint64_t first : {0ULL, 1ULL, 63ULL, 1000ULL}) {
          const GlobalBatch batch{first, size, lanes, world};
          const auto expected = dealt_by_sorting(batch);
          std::vector<std::uint64_t> slots;
          for (std::uint32_t rank = 0; rank < world; ++rank) {
            slots_of_rank(batch, rank, &slots);
            ASSERT_EQ(slots, expected[rank])
                << lanes << " lanes, world " << world << ", size " << size << ", first " << first;
            ASSERT_EQ(slots.size(), slot_count(batch, rank));
          }
        }
      }
    }
  }
}

TEST(DealTest, RanksDifferByAtMostOneSlot) {
  for (std::uint64_t size = 1; size < 70; ++size) {
    std::vector<std::uint64_t> slots;
    std::set<std::uint64_t> all;
    for (std::uint32_t rank = 0; rank < 8; ++rank) {
      slots_of_rank({17, size, 16, 8}, rank, &slots);
      EXPECT_GE(slots.size(), size / 8);
      EXPECT_LE(slots.size(), (size + 7) / 8);
      all.insert(slots.begin(), slots.end());
    }
    EXPECT_EQ(all.size(), size);
  }
}

TEST(DealTest, ARankKeepsItsLanes) {
  for (const auto& [world, size] :
       std::vector<std::pair<std::uint32_t, std::uint64_t>>{{8, 8}, {4, 16}, {2, 16}, {1, 8}}) {
    std::vector<std::set<std::uint64_t>> lanes(world);
    std::vector<std::uint64_t> slots;
    for (std::uint64_t step = 0; step < 6; ++step) {
      for (std::uint32_t rank = 0; rank < world; ++rank) {
        slots_of_rank({step * size, size, 8, world}, rank, &slots);
        for (const std::uint64_t slot : slots) lanes[rank].insert((step * size + slot) % 8);
      }
    }
    for (const auto& served : lanes) EXPECT_EQ(served.size(), 8 / world);
  }
}

}  // namespace
}  // namespace headrace::shuffle
