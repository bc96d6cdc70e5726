// SPDX-License-Identifier: Apache-2.0
// Merges with AVX-512: a bucket of the pair table, all symbols and all ranks are a register each.
#if defined(__x86_64__)

#include <immintrin.h>

#include "tokenize/merge_jobs.h"

namespace headrace::tokenize {
namespace {

#include "tokenize/internal/mask_types.inl.h"

INLINE u32 rank(const MergeTables& tables, u32 left, u32 right) {
  const u64 key = pair_key(left, right);
  for (u64 bucket = bucket_of(tables, key);; bucket = (bucket + 1) & tables.bucket_mask) {
    const u64* const slots_at = tables.slots + bucket * kBucketSlots;
    const __m512i slots = _mm512_load_si512(slots_at);
    const u32 found = _mm512_cmpeq_epi64_mask(_mm512_srli_epi64(slots, kRankBits),
                                              _mm512_set1_epi64(static_cast<long long>(key)));
    // No branch on whether there is one: that is as good as random.
    const u64 slot = slots_at[__builtin_ctz(found | 1U << kBucketSlots) & (kBucketSlots - 1)];
    const u32 value = static_cast<u32>(slot & kMostMerges) - 1;
    if (__builtin_expect(found != 0 || slots_at[kBucketSlots - 1] == 0, 1)) {
      return found != 0 ? value : kNone;
    }
  }
}

struct Best {
  u32 rank, at;
  __m512i ranks;
};

INLINE __m512i with(__m512i values, u32 at, u32 value) {
  return _mm512_mask_set1_epi32(values, static_cast<__mmask16>(1U << at), static_cast<int>(value));
}

INLINE Best take_lowest(const MergeJob& job, u32 low, u32 high) {
  const __m512i ranks = with(with(_mm512_load_si512(job.ranks), job.at - 1, low), job.at, high);
  const u32 best = _mm512_reduce_min_epu32(ranks);
  const __m512i all = _mm512_set1_epi32(static_cast<int>(best));
  return {best, static_cast<u32>(__builtin_ctz(_mm512_cmpeq_epu32_mask(ranks, all))), ranks};
}

INLINE void replace(MergeJob& job, const Best& best, u32 symbol) {
  const auto kept = static_cast<__mmask16>(0xFFFFU ^ 2U << best.at);
  const auto fill = [](u32 value) { return _mm512_set1_epi32(static_cast<int>(value)); };
  const __m512i symbols = with(_mm512_load_si512(job.symbols), best.at, symbol);
  _mm512_store_si512(job.symbols, _mm512_mask_compress_epi32(fill(kNoSymbol), kept, symbols));
  _mm512_store_si512(job.ranks, _mm512_mask_compress_epi32(fill(kNone), kept, best.ranks));
}

void clear(MergeJob* job) {
  _mm512_store_si512(job->symbols, _mm512_set1_epi32(static_cast<int>(kNoSymbol)));
  _mm512_store_si512(job->ranks, _mm512_set1_epi32(-1));
}

#include "tokenize/internal/merge_jobs.inl.h"

}  // namespace

const MergeKernels kAvx512MergeKernels = {clear, run};

}  // namespace headrace::tokenize

#endif  // __x86_64__
