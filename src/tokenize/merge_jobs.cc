// SPDX-License-Identifier: Apache-2.0
// The choice, and the kernels without vector instructions.
#include "tokenize/merge_jobs.h"

namespace headrace::tokenize {
namespace {

#include "tokenize/internal/mask_types.inl.h"

INLINE u32 rank(const MergeTables& tables, u32 left, u32 right) {
  const u64 key = pair_key(left, right);
  for (u64 bucket = bucket_of(tables, key);; bucket = (bucket + 1) & tables.bucket_mask) {
    const u64* const slots = tables.slots + bucket * kBucketSlots;
    for (int i = 0; i < kBucketSlots; ++i) {
      if (slots[i] == 0) return kNone;
      if (slots[i] >> kRankBits == key) return static_cast<u32>(slots[i] & kMostMerges) - 1;
    }
  }
}

struct Best {
  u32 rank, at;
};

INLINE Best take_lowest(MergeJob& job, u32 low, u32 high) {
  job.ranks[job.at - 1] = low;
  job.ranks[job.at] = high;
  Best best = {kNone, 0};
  for (u32 i = 1; i < job.count; ++i) {
    if (job.ranks[i] < best.rank) best = {job.ranks[i], i};
  }
  return best;
}

INLINE void replace(MergeJob& job, const Best& best, u32 symbol) {
  job.symbols[best.at] = symbol;
  for (u32 i = best.at + 1; i < job.count; ++i) {
    job.symbols[i] = job.symbols[i + 1];
    job.ranks[i] = job.ranks[i + 1];
  }
  job.symbols[job.count] = kNoSymbol;
  job.ranks[job.count] = kNone;
}

void clear(MergeJob* job) {
  for (u32& symbol : job->symbols) symbol = kNoSymbol;
  for (u32& of : job->ranks) of = kNone;
}

#include "tokenize/internal/merge_jobs.inl.h"

}  // namespace

const MergeKernels kScalarMergeKernels = {clear, run};

const MergeKernels& merge_kernels(SimdLevel level) {
#if defined(__x86_64__)
  if (level == SimdLevel::kAvx512) return kAvx512MergeKernels;
  if (level == SimdLevel::kAvx2) return kAvx2MergeKernels;
#endif
  (void)level;
  return kScalarMergeKernels;
}

}  // namespace headrace::tokenize
