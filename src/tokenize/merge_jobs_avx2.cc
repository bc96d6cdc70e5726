// SPDX-License-Identifier: Apache-2.0
// Merges with AVX2: half a bucket of the pair table, half of the symbols and of the ranks are a
// register each.
#if defined(__x86_64__)

#include <immintrin.h>

#include "tokenize/merge_jobs.h"

namespace headrace::tokenize {
namespace {

#include "tokenize/internal/mask_types.inl.h"

INLINE __m256i load(const void* p) { return _mm256_loadu_si256(static_cast<const __m256i*>(p)); }
INLINE void store(void* p, __m256i value) { _mm256_storeu_si256(static_cast<__m256i*>(p), value); }

INLINE u32 rank(const MergeTables& tables, u32 left, u32 right) {
  const u64 key = pair_key(left, right);
  const __m256i keys = _mm256_set1_epi64x(static_cast<long long>(key));
  for (u64 bucket = bucket_of(tables, key);; bucket = (bucket + 1) & tables.bucket_mask) {
    const u64* const slots = tables.slots + bucket * kBucketSlots;
    const auto found = [&](const u64* four) {
      const __m256i equal = _mm256_cmpeq_epi64(_mm256_srli_epi64(load(four), kRankBits), keys);
      return static_cast<u32>(_mm256_movemask_pd(_mm256_castsi256_pd(equal)));
    };
    const u32 places = found(slots) | found(slots + 4) << 4;
    // No branch on whether there is one: that is as good as random.
    const u64 slot = slots[__builtin_ctz(places | 1U << kBucketSlots) & (kBucketSlots - 1)];
    const u32 value = static_cast<u32>(slot & kMostMerges) - 1;
    if (__builtin_expect(places != 0 || slots[kBucketSlots - 1] == 0, 1)) {
      return places != 0 ? value : kNone;
    }
  }
}

struct Best {
  u32 rank, at;
  __m256i low, high;  // ranks
};

INLINE __m256i lanes(int first) {
  return _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(first));
}
INLINE __m256i all(u32 value) { return _mm256_set1_epi32(static_cast<int>(value)); }
INLINE __m256i with(__m256i values, int first, u32 at, u32 value) {
  return _mm256_blendv_epi8(values, all(value), _mm256_cmpeq_epi32(lanes(first), all(at)));
}

INLINE Best take_lowest(const MergeJob& job, u32 before, u32 behind) {
  Best best;
  best.low = with(with(load(job.ranks), 0, job.at - 1, before), 0, job.at, behind);
  best.high = with(with(load(job.ranks + 8), 8, job.at - 1, before), 8, job.at, behind);
  const __m256i eight = _mm256_min_epu32(best.low, best.high);
  const __m128i four =
      _mm_min_epu32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
  const __m128i two = _mm_min_epu32(four, _mm_shuffle_epi32(four, 0x4E));
  const __m128i one = _mm_min_epu32(two, _mm_shuffle_epi32(two, 0xB1));
  best.rank = static_cast<u32>(_mm_cvtsi128_si32(one));
  const __m256i wanted = all(best.rank);
  const auto places = [wanted](__m256i ranks) {
    const __m256i equal = _mm256_cmpeq_epi32(ranks, wanted);
    return static_cast<u32>(_mm256_movemask_ps(_mm256_castsi256_ps(equal)));
  };
  best.at = static_cast<u32>(__builtin_ctz(places(best.low) | places(best.high) << 8));
  return best;
}

// Stores the values without that at `out`, those behind it moved down by one.
INLINE void store_without(u32* values, __m256i low, __m256i high, u32 out, u32 filler) {
  const __m256i turn = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0);
  const __m256i next_low = _mm256_permutevar8x32_epi32(_mm256_blend_epi32(low, high, 1), turn);
  const __m256i next_high =
      _mm256_permutevar8x32_epi32(_mm256_blend_epi32(high, all(filler), 1), turn);
  const __m256i last_kept = all(out - 1);
  store(values, _mm256_blendv_epi8(low, next_low, _mm256_cmpgt_epi32(lanes(0), last_kept)));
  store(values + 8, _mm256_blendv_epi8(high, next_high, _mm256_cmpgt_epi32(lanes(8), last_kept)));
}

INLINE void replace(MergeJob& job, const Best& best, u32 symbol) {
  store_without(job.symbols, with(load(job.symbols), 0, best.at, symbol),
                with(load(job.symbols + 8), 8, best.at, symbol), best.at + 1, kNoSymbol);
  store_without(job.ranks, best.low, best.high, best.at + 1, kNone);
}

void clear(MergeJob* job) {
  for (int i = 0; i < 16; i += 8) {
    store(job->symbols + i, _mm256_set1_epi32(static_cast<int>(kNoSymbol)));
    store(job->ranks + i, _mm256_set1_epi32(-1));
  }
}

#include "tokenize/internal/merge_jobs.inl.h"

}  // namespace

const MergeKernels kAvx2MergeKernels = {clear, run};

}  // namespace headrace::tokenize

#endif  // __x86_64__
