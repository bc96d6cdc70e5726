// SPDX-License-Identifier: Apache-2.0
// Byte-pair merging: again and again the neighbours whose merge has the lowest rank become one, the
// leftmost of equals first, until no neighbours have a merge.
//
// Short pieces (nearly all): symbols and the ranks between them in two small arrays, a scan for the
// minimum, one memmove per merge. Quadratic, but in at most 64 steps of a few cache lines, which
// costs less than keeping a heap. Long pieces: a heap of (rank, position) over a linked list,
// O(n log n); an entry whose position has changed its rank since is stale and skipped.
//
// Pairs are found in one open-addressed table of 64-bit slots at most half full, pairs of single
// bytes, where most lookups of a piece start, in a dense one of 256 KB.
#include "tokenize/byte_bpe.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <unordered_map>

#include "base/error.h"

namespace headrace::tokenize {
namespace {

std::uint64_t pair_key(std::uint32_t left, std::uint32_t right) {
  return std::uint64_t{left} << kIdBits | right;
}

std::uint64_t spread(std::uint64_t key) {
  key *= 0x9E3779B97F4A7C15U;
  return key ^ key >> 32;
}

}  // namespace

ByteBpe::ByteBpe(const std::array<std::uint32_t, 256>& byte_ids, std::span<const Merge> merges,
                 MergeOrder order)
    : byte_ids_(byte_ids), byte_pair_ranks_(std::size_t{1} << 16, kNone) {
  HEADRACE_DCHECK(merges.size() <= kMostMerges);
  pairs_.resize(std::bit_ceil(std::max<std::size_t>(merges.size() * 2, 16)));
  pairs_mask_ = pairs_.size() - 1;
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
    const std::uint64_t key = pair_key(m.left, m.right);
    std::uint64_t slot = spread(key) & pairs_mask_;
    while (pairs_[slot] != 0 && pairs_[slot] >> kRankBits != key) slot = (slot + 1) & pairs_mask_;
    pairs_[slot] = key << kRankBits | (merge_rank + 1);

    const auto left = byte_of.find(m.left);
    const auto right = byte_of.find(m.right);
    if (left != byte_of.end() && right != byte_of.end()) {
      byte_pair_ranks_[left->second << 8 | right->second] = merge_rank;
    }
  }
}

std::uint32_t ByteBpe::rank(std::uint32_t left, std::uint32_t right) const {
  const std::uint64_t key = pair_key(left, right);
  for (std::uint64_t slot = spread(key) & pairs_mask_;; slot = (slot + 1) & pairs_mask_) {
    const std::uint64_t found = pairs_[slot];
    if (found >> kRankBits == key && found != 0) {
      return static_cast<std::uint32_t>(found & kMostMerges) - 1;
    }
    if (found == 0) return kNone;
  }
}

std::size_t ByteBpe::merge(std::string_view piece, MergeScratch* scratch,
                           std::uint32_t* ids) const {
  return piece.size() <= kMostShort ? merge_short(piece, ids) : merge_long(piece, scratch, ids);
}

std::size_t ByteBpe::merge_short(std::string_view piece, std::uint32_t* ids) const {
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

std::size_t ByteBpe::merge_long(std::string_view piece, MergeScratch* scratch,
                                std::uint32_t* ids) const {
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
    symbols[i] = merged_[ranks[i]];
    const std::uint32_t gone = next[i];
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
