// SPDX-License-Identifier: Apache-2.0
// The turns, for inclusion inside the anonymous namespace of a kernel unit that defines
// rank(tables, left, right), kNone if there is no merge, and behind this
//   Best take_lowest(job, low, high): with ranks[at - 1] = low and ranks[at] = high, the lowest
//     rank and the first place of it;
//   void replace(job, ranks, at, symbol): symbols[at] = symbol, and symbol and rank at + 1 go.
// Between the two, Best holds the ranks: a store of four bytes that a wide load must wait for costs
// more than all else.

INLINE void prefetch(const MergeTables& tables, u32 left, u32 right) {
  __builtin_prefetch(tables.slots + bucket_of(tables, pair_key(left, right)) * kBucketSlots);
}

// One merge; first the ranks that the last one asked for. False: there was none left.
INLINE bool turn(const MergeTables& tables, MergeJob& job) {
  const u32 last = job.at;
  const u32* const symbols = job.symbols + last;
  const Best best =
      take_lowest(job, rank(tables, symbols[-1], symbols[0]), rank(tables, symbols[0], symbols[1]));
  if (best.rank == kNone) return false;
  const u32 symbol = tables.merged[best.rank];
  replace(job, best, symbol);
  --job.count;
  job.at = best.at;
  prefetch(tables, job.symbols[best.at - 1], symbol);
  prefetch(tables, symbol, job.symbols[best.at + 1]);
  return true;
}

void run(const MergeTables& tables, MergeJob* jobs, u32 count, std::uint16_t* active) {
  for (u32 i = 0; i < count; ++i) {
    MergeJob& job = jobs[i];
    active[i] = static_cast<std::uint16_t>(i);
    job.at = 1;
    if (!job.whole_characters) {
      for (u32 k = 1; k < job.count; ++k) {
        job.ranks[k] = tables.byte_pair_ranks[job.bytes[k - 1] << 8 | job.bytes[k]];
      }
      continue;
    }
    for (u32 k = 1; k < job.count; ++k) prefetch(tables, job.symbols[k], job.symbols[k + 1]);
  }
  for (u32 i = 0; i < count; ++i) {
    MergeJob& job = jobs[i];
    if (!job.whole_characters) continue;
    for (u32 k = 1; k < job.count; ++k) {
      job.ranks[k] = rank(tables, job.symbols[k], job.symbols[k + 1]);
    }
  }
  for (u32 left = count; left > 0;) {
    u32 kept = 0;
    for (u32 i = 0; i < left; ++i) {
      const std::uint16_t which = active[i];
      active[kept] = which;
      kept += turn(tables, jobs[which]) ? 1 : 0;
    }
    left = kept;
  }
}
