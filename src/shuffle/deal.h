// SPDX-License-Identifier: Apache-2.0
// Which samples of a global batch a rank takes.
#pragma once

#include <cstdint>
#include <vector>

namespace headrace::shuffle {

// A global batch: `size` samples, the first after `first` consumed ones, shared by `world` ranks.
struct GlobalBatch {
  std::uint64_t first = 0;
  std::uint64_t size = 0;
  std::uint32_t lanes = 1;
  std::uint32_t world = 1;
};

// The slots (0 … size - 1) of `rank`, ascending. Slots sorted by lane are dealt to the ranks in
// runs that differ by at most one, so a rank serves neighbouring lanes. All ranks together: every
// slot once. O(lanes + slots of the rank).
void slots_of_rank(const GlobalBatch& batch, std::uint32_t rank, std::vector<std::uint64_t>* slots);

// How many: floor or ceiling of size / world.
std::uint64_t slot_count(const GlobalBatch& batch, std::uint32_t rank);

}  // namespace headrace::shuffle
