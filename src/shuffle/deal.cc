// SPDX-License-Identifier: Apache-2.0
// Slot s of a global batch belongs to lane (first + s) mod L. Sorted by (lane, slot), the p-th slot
// goes to rank p * R / B. The sorted list is never made: lane l has the slots s0, s0 + L, s0 + 2L …
// with s0 = (l - first) mod L, so the lanes before a rank's run are stepped over by their counts.
//
// With L a multiple of B, or B of L, a rank meets only its own L / R lanes, whatever `first` is.
#include "shuffle/deal.h"

#include <algorithm>

#include "base/counter_rng.h"
#include "base/error.h"

namespace headrace::shuffle {
namespace {

// First p with p * world / size >= rank: ceil(rank * size / world).
std::uint64_t run_start(const GlobalBatch& batch, std::uint64_t rank) {
  const auto product = static_cast<Uint128>(rank) * batch.size;
  return static_cast<std::uint64_t>((product + batch.world - 1) / batch.world);
}

}  // namespace

std::uint64_t slot_count(const GlobalBatch& batch, std::uint32_t rank) {
  return run_start(batch, std::uint64_t{rank} + 1) - run_start(batch, rank);
}

void slots_of_rank(const GlobalBatch& batch, std::uint32_t rank,
                   std::vector<std::uint64_t>* slots) {
  HEADRACE_DCHECK(batch.lanes > 0 && rank < batch.world);
  slots->clear();
  std::uint64_t skip = run_start(batch, rank);
  std::uint64_t wanted = slot_count(batch, rank);
  const std::uint64_t lanes = batch.lanes;
  const std::uint64_t first_lane = batch.first % lanes;
  for (std::uint64_t lane = 0; lane < lanes && wanted > 0; ++lane) {
    const std::uint64_t first_slot = (lane + lanes - first_lane) % lanes;
    if (first_slot >= batch.size) continue;
    const std::uint64_t count = (batch.size - first_slot - 1) / lanes + 1;
    const std::uint64_t skipped = std::min(skip, count);
    skip -= skipped;
    const std::uint64_t taken = std::min(wanted, count - skipped);
    wanted -= taken;
    for (std::uint64_t k = skipped; k < skipped + taken; ++k) {
      slots->push_back(first_slot + k * lanes);
    }
  }
  std::sort(slots->begin(), slots->end());
}

}  // namespace headrace::shuffle
