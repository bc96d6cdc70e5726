// SPDX-License-Identifier: Apache-2.0
// Byte-pair merging of one piece.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headrace::tokenize {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

// Bits of an id and of a rank in the pair table: what a file may hold at most.
inline constexpr int kIdBits = 21;
inline constexpr int kRankBits = 22;
inline constexpr std::uint32_t kMostIds = 1U << kIdBits;
inline constexpr std::uint32_t kMostMerges = (1U << kRankBits) - 1;

// Two neighbours and what they become. Its place in the list is its rank: lower goes first.
struct Merge {
  std::uint32_t left = 0;
  std::uint32_t right = 0;
  std::uint32_t merged = 0;
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
  // `byte_ids[b]`: the id of byte b alone, kNone for bytes that never occur. Fewer than kMostIds
  // ids and at most kMostMerges merges. Of two merges of one pair the later counts.
  ByteBpe(const std::array<std::uint32_t, 256>& byte_ids, std::span<const Merge> merges,
          MergeOrder order = MergeOrder::kByList);

  // Writes the ids of `piece` to `ids`, which has room for piece.size() of them. Returns how many.
  std::size_t merge(std::string_view piece, MergeScratch* scratch, std::uint32_t* ids) const;

  // The two ways that merge() chooses from; equal results.
  std::size_t merge_short(std::string_view piece, std::uint32_t* ids) const;  // <= kMostShort bytes
  std::size_t merge_long(std::string_view piece, MergeScratch* scratch, std::uint32_t* ids) const;

  static constexpr std::size_t kMostShort = 64;

 private:
  // Rank of the merge of the pair, kNone if there is none.
  std::uint32_t rank(std::uint32_t left, std::uint32_t right) const;
  std::uint32_t byte_pair_rank(char left, char right) const {
    return byte_pair_ranks_[static_cast<std::uint8_t>(left) << 8 |
                            static_cast<std::uint8_t>(right)];
  }

  std::array<std::uint32_t, 256> byte_ids_;
  std::vector<std::uint32_t> byte_pair_ranks_;  // [left << 8 | right], bytes
  std::vector<std::uint64_t> pairs_;            // open addressing: left | right | rank + 1
  std::uint64_t pairs_mask_ = 0;
  std::vector<std::uint32_t> merged_;  // rank → id
};

}  // namespace headrace::tokenize
