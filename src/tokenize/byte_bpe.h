// SPDX-License-Identifier: Apache-2.0
// Byte-pair merging of one piece.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/big_table.h"
#include "tokenize/merge_jobs.h"

namespace headrace::tokenize {

// Two neighbours and what they become. Its place in the list is its rank: lower goes first.
struct Merge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t merged = 0;
};

// A merge that was done.
struct DoneMerge {
  std::uint32_t left = kNone;
  std::uint32_t right = kNone;
  std::uint32_t rank = kNone;
};

// What goes first. By list: each merge after those before it in the list, as tokenizers ranks them.
// By token: merges next to each other in the list that make one token are equals, of which the
// leftmost goes first, as tiktoken ranks them.
enum class MergeOrder { kByList, kByToken };

// Room for one merge at a time. Single-threaded; keep one per thread.
struct MergeScratch {
  std::vector<std::uint32_t> symbols, next, previous, ranks;
  std::vector<std::uint64_t> heap;
};

// Immutable after construction: thread-safe.
class ByteBpe {
 public:
  // `byte_ids[b]`: the id of byte b alone, kNone for bytes that never occur. Ids below kMostIds and
  // at most kMostMerges merges. Of two merges of one pair the later counts.
  ByteBpe(const std::array<std::uint32_t, 256>& byte_ids, std::span<const Merge> merges,
          MergeOrder order = MergeOrder::kByList);

  // Writes the ids of `piece` to `ids`, which has room for piece.size() of them. Returns how many.
  // `last`, if asked for: the merge that was done last.
  std::size_t merge(std::string_view piece, MergeScratch* scratch, std::uint32_t* ids,
                    DoneMerge* last = nullptr) const;

  // The two ways that merge() chooses from; equal results.
  std::size_t merge_short(std::string_view piece, std::uint32_t* ids,
                          DoneMerge* last = nullptr) const;  // <= kMostShort bytes
  std::size_t merge_long(std::string_view piece, MergeScratch* scratch, std::uint32_t* ids,
                         DoneMerge* last = nullptr) const;

  static constexpr std::size_t kMostShort = 64;

  // Rank of the merge of the pair, kNone if there is none.
  std::uint32_t rank(std::uint32_t left, std::uint32_t right) const;
  std::uint32_t byte_id(std::uint8_t byte) const { return byte_ids_[byte]; }
  std::uint32_t merged(std::uint32_t rank) const { return merged_[rank]; }

  // What merge_jobs.h needs; of this object, and as long as it lives.
  MergeTables tables() const {
    return {pairs_.data(), bucket_mask_, merged_.data(), byte_pair_ranks_.data()};
  }
  // Calls each({left, right, rank}) for all pairs.
  template <class Each>
  void for_each_pair(const Each& each) const {
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      const std::uint64_t slot = pairs_[i];
      if (slot == 0) continue;
      const std::uint64_t key = slot >> kRankBits;
      each(DoneMerge{static_cast<std::uint32_t>(key >> kIdBits),
                     static_cast<std::uint32_t>(key & kNoSymbol),
                     static_cast<std::uint32_t>(slot & kMostMerges) - 1});
    }
  }

 private:
  void add_pair(const Merge& merge, std::uint32_t rank);
  std::uint32_t byte_pair_rank(char left, char right) const {
    return byte_pair_ranks_[static_cast<std::uint8_t>(left) << 8 |
                            static_cast<std::uint8_t>(right)];
  }

  std::array<std::uint32_t, 256> byte_ids_;
  std::vector<std::uint32_t> byte_pair_ranks_;  // [left << 8 | right], bytes
  BigTable<std::uint64_t> pairs_;               // see MergeTables
  std::uint64_t bucket_mask_ = 0;
  std::vector<std::uint32_t> merged_;  // rank → id
};

}  // namespace headrace::tokenize
