// SPDX-License-Identifier: Apache-2.0
// Merging many short pieces in turn: one merge of each, again and again, so that the look-ups of
// one overlap the work of the others. Plain types only, as in mask_split.h.
#pragma once

#include <cstdint>

#include "record/simd_level.h"

namespace headrace::tokenize {

// Bits of an id and of a rank in the pair table: what a file may hold at most.
inline constexpr int kIdBits = 21;
inline constexpr int kRankBits = 22;
inline constexpr std::uint32_t kMostIds = (1U << kIdBits) - 1;
inline constexpr std::uint32_t kMostMerges = (1U << kRankBits) - 1;
inline constexpr std::uint32_t kNone = 0xFFFFFFFF;
inline constexpr std::uint32_t kNoSymbol = kMostIds;  // no id: has no merge with anything

// The pair table: buckets of a cache line, eight slots each, filled from the first; a pair that
// finds its bucket full goes to the next one.
inline constexpr int kBucketSlots = 8;
struct MergeTables {
  const std::uint64_t* slots = nullptr;  // left | right | rank + 1
  std::uint64_t bucket_mask = 0;
  const std::uint32_t* merged = nullptr;           // rank → id
  const std::uint32_t* byte_pair_ranks = nullptr;  // [left << 8 | right], bytes
};

__attribute__((always_inline)) inline std::uint64_t pair_key(std::uint32_t left,
                                                             std::uint32_t right) {
  return std::uint64_t{left} << kIdBits | right;
}
__attribute__((always_inline)) inline std::uint64_t bucket_of(const MergeTables& tables,
                                                              std::uint64_t key) {
  return (key * 0x9E3779B97F4A7C15U >> 32) & tables.bucket_mask;
}

// A piece in the works. Its symbols stand from the second place on, the others are none; ranks[i]
// is that of symbols i and i + 1.
struct alignas(64) MergeJob {
  static constexpr std::uint32_t kMostSymbols = 15;

  std::uint32_t symbols[16];
  std::uint32_t ranks[16];
  const std::uint8_t* bytes;
  std::uint32_t size;     // of the piece in bytes
  std::uint32_t count;    // of symbols
  std::uint32_t at;       // where the last merge was
  std::uint32_t piece;    // which of the batch it is
  bool whole_characters;  // the symbols at the start are characters, else bytes
};

struct MergeKernels {
  // Before the symbols are put in.
  void (*clear)(MergeJob* job);
  // Merges what is to be merged. `active` has room for `count`.
  void (*run)(const MergeTables& tables, MergeJob* jobs, std::uint32_t count,
              std::uint16_t* active);
};

const MergeKernels& merge_kernels(SimdLevel level);

extern const MergeKernels kScalarMergeKernels;
#if defined(__x86_64__)
extern const MergeKernels kAvx2MergeKernels;
extern const MergeKernels kAvx512MergeKernels;
#endif

}  // namespace headrace::tokenize
