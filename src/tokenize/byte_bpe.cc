// SPDX-License-Identifier: Apache-2.0
// Byte-pair merging: again and again the neighbours whose merge has the lowest rank become one, the
// leftmost of equals first, until no neighbours have a merge.
//
// Short pieces (nearly all): symbols and the ranks between them in two small arrays, a scan for the
// minimum, one memmove per merge. Quadratic, but in at most 64 steps of a few cache lines, which
// costs less than keeping a heap. Long pieces: a heap of (rank, position) over a linked list,
// O(n log n); an entry whose position has changed its rank since is stale and skipped.
//
// Pairs are found in one table of 64-bit slots in buckets of a cache line (merge_jobs.h), a third
// full, pairs of single bytes, where most lookups of a piece start, in a dense one of 256 KB.
#include "tokenize/byte_bpe.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <unordered_map>

#include "base/error.h"

namespace headrace::tokenize {
ByteBpe::ByteBpe(const std::array<std::uint32_t, 256>& byte_ids, std::span<const Merge> merges,
                 MergeOrder order)
    : byte_ids_(byte_ids), byte_pair_ranks_(std::size_t{1} << 16, kNone) {
  HEADRACE_DCHECK(merges.size() <= kMostMerges);
  const std::size_t buckets = std::bit_ceil(std::max<std::size_t>(merges.size() / 3, 2));
  pairs_ = BigTable<std::uint64_t>(buckets * kBucketSlots);
  bucket_mask_ = buckets - 1;
  merged_.reserve(merges.size());

  std::unordered_map<std::uint32_t, std::uint8_t> byte_of;
  for (std::uint32_t b = 0; b < 256; ++b) {
    if (byte_ids_[b] != kNone) byte_of.emplace(byte_ids_[b], static_cast<std::uint8_t>(b));
  }
  for (const Merge& m : merges) {
    const bool is_equal =
        order == MergeOrder::kByToken && !merged_.empty() && merged_.back() == m.merged;
    if (!is_equal) merged_.push_back(m.merged);
    const auto merge_rank = static_cast<std::uint32_t>(merged_.size() - 1);
    add_pair(m, merge_rank);
    const auto left = byte_of.find(m.left);
    const auto right = byte_of.find(m.right);
    if (left != byte_of.end() && right != byte_of.end()) {
      byte_pair_ranks_[left->second << 8 | right->second] = merge_rank;
    }
  }
}

void ByteBpe::add_pair(const Merge& merge, std::uint32_t rank) {
  const std::uint64_t key = pair_key(merge.left, merge.right);
  for (std::uint64_t bucket = bucket_of(tables(), key);; bucket = (bucket + 1) & bucket_mask_) {
    for (int i = 0; i < kBucketSlots; ++i) {
      std::uint64_t& slot = pairs_[bucket * kBucketSlots + static_cast<std::uint64_t>(i)];
      if (slot != 0 && slot >> kRankBits != key) continue;
      slot = key << kRankBits | (rank + 1);
      return;
    }
  }
}

std::uint32_t ByteBpe::rank(std::uint32_t left, std::uint32_t right) const {
  const std::uint64_t key = pair_key(left, right);
  for (std::uint64_t bucket = bucket_of(tables(), key);; bucket = (bucket + 1) & bucket_mask_) {
    const std::uint64_t* const slots = pairs_.data() + bucket * kBucketSlots;
    for (int i = 0; i < kBucketSlots; ++i) {
      if (slots[i] >> kRankBits == key && slots[i] != 0) {
        return static_cast<std::uint32_t>(slots[i] & kMostMerges) - 1;
      }
      if (slots[i] == 0) return kNone;
    }
  }
}

std::size_t ByteBpe::merge(std::string_view piece, MergeScratch* scratch, std::uint32_t* ids,
                           DoneMerge* last) const {
  return piece.size() <= kMostShort ? merge_short(piece, ids, last)
                                    : merge_long(piece, scratch, ids, last);
}

std::size_t ByteBpe::merge_short(std::string_view piece, std::uint32_t* ids,
                                 DoneMerge* last) const {
  HEADRACE_DCHECK(piece.size() <= kMostShort);
  std::uint32_t symbols[kMostShort];
  std::uint32_t ranks[kMostShort];  // ranks[i]: of symbols i and i + 1
  std::size_t count = piece.size();
  for (std::size_t i = 0; i < count; ++i) {
    symbols[i] = byte_ids_[static_cast<std::uint8_t>(piece[i])];
    ranks[i] = i + 1 < count ? byte_pair_rank(piece[i], piece[i + 1]) : kNone;
  }
  while (count > 1) {
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      if (ranks[i] < ranks[best]) best = i;
    }
    if (ranks[best] == kNone) break;
    if (last != nullptr) *last = {symbols[best], symbols[best + 1], ranks[best]};
    symbols[best] = merged_[ranks[best]];
    --count;
    const std::size_t behind = count - best - 1;
    std::memmove(symbols + best + 1, symbols + best + 2, behind * sizeof(symbols[0]));
    std::memmove(ranks + best + 1, ranks + best + 2, behind * sizeof(ranks[0]));
    ranks[best] = best + 1 < count ? rank(symbols[best], symbols[best + 1]) : kNone;
    if (best > 0) ranks[best - 1] = rank(symbols[best - 1], symbols[best]);
  }
  std::memcpy(ids, symbols, count * sizeof(symbols[0]));
  return count;
}

std::size_t ByteBpe::merge_long(std::string_view piece, MergeScratch* scratch, std::uint32_t* ids,
                                DoneMerge* last) const {
  auto& [symbols, next, previous, ranks, heap] = *scratch;
  const auto size = static_cast<std::uint32_t>(piece.size());
  symbols.resize(size);
  next.resize(size);
  previous.resize(size);
  ranks.assign(size, kNone);  // between a symbol and its next; kNone also for symbols merged away
  heap.clear();
  for (std::uint32_t i = 0; i < size; ++i) {
    symbols[i] = byte_ids_[static_cast<std::uint8_t>(piece[i])];
    next[i] = i + 1;
    previous[i] = i - 1;
    if (i + 1 == size) break;
    ranks[i] = byte_pair_rank(piece[i], piece[i + 1]);
    if (ranks[i] != kNone) heap.push_back(std::uint64_t{ranks[i]} << 32 | i);
  }
  std::ranges::make_heap(heap, std::greater<>());
  const auto rank_again = [&, symbols = symbols.data(), next = next.data(), ranks = ranks.data(),
                           heap = &heap](std::uint32_t i) {
    ranks[i] = next[i] < size ? rank(symbols[i], symbols[next[i]]) : kNone;
    if (ranks[i] == kNone) return;
    heap->push_back(std::uint64_t{ranks[i]} << 32 | i);
    std::ranges::push_heap(*heap, std::greater<>());
  };
  while (!heap.empty()) {
    const std::uint64_t top = heap.front();
    std::ranges::pop_heap(heap, std::greater<>());
    heap.pop_back();
    const auto i = static_cast<std::uint32_t>(top);
    if (ranks[i] != top >> 32) continue;
    const std::uint32_t gone = next[i];
    if (last != nullptr) *last = {symbols[i], symbols[gone], ranks[i]};
    symbols[i] = merged_[ranks[i]];
    ranks[gone] = kNone;
    next[i] = next[gone];
    if (next[i] < size) previous[next[i]] = i;
    rank_again(i);
    if (i > 0) rank_again(previous[i]);
  }
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < size; i = next[i]) ids[count++] = symbols[i];
  return count;
}

}  // namespace headrace::tokenize
