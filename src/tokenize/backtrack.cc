// SPDX-License-Identifier: Apache-2.0
// Longest match with backtracking, after github/rust-gems (crates/bpe) and quicktok.
//
// A sequence of tokens is what merging makes of its bytes exactly if each two neighbours are what
// merging makes of theirs. (Look at the first merge over a border: until then all has gone as it
// goes for the two alone, so it would have been done there too.) So there is one such sequence for
// every start of the piece, and its last token is known by its end alone. Take the longest token
// that may stand behind the last one; if none leads on, mark the place as dead and go back: each
// place is left at most once, which makes it linear.
//
// Whether two may stand side by side: undo the later of the two merges at the border, until a pair
// over the border is found that would have been merged before what was undone. Ranks are times
// here; bpe_tables.cc says when they are.
#include "tokenize/backtrack.h"

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace headrace::tokenize {
namespace {

constexpr int kNeighbourBits = 15;  // 256 KiB

std::uint64_t spread(std::uint64_t key) { return key * 0x9E3779B97F4A7C15U >> 32; }

}  // namespace

Backtracker::Backtracker(const ByteBpe& bpe, std::span<const std::string_view> tokens,
                         std::span<const DoneMerge> made_by,
                         std::vector<std::string_view> unordered)
    : bpe_(bpe),
      unordered_(std::move(unordered)),
      begins_unordered_(unordered_.empty() ? 0 : std::size_t{1} << 16),
      made_by_(made_by.begin(), made_by.end()),
      lengths_(tokens.size()),
      shorter_(tokens.size(), kNone),
      second_level_(std::size_t{1} << 16) {
  for (const std::string_view token : unordered_) {
    begins_unordered_[static_cast<std::uint8_t>(token[0]) << 8 |
                      static_cast<std::uint8_t>(token[1])] = true;
  }
  std::size_t most_nodes = 2;
  for (const std::string_view token : tokens) most_nodes += token.size();
  resize_children(most_nodes);
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    if (!tokens[id].empty()) add_token(static_cast<std::uint32_t>(id), tokens[id]);
  }
  resize_children(ends_.size());  // tokens share their beginnings
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    const std::string_view token = tokens[id];
    if (token.size() < 2) continue;
    const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
    shorter_[id] = longest(p, p + token.size() - 1);
  }
}

bool Backtracker::is_for(std::string_view piece) const {
  if (unordered_.empty()) return true;
  for (std::size_t i = 0; i + 1 < piece.size(); ++i) {
    if (!begins_unordered_[static_cast<std::uint8_t>(piece[i]) << 8 |
                           static_cast<std::uint8_t>(piece[i + 1])]) {
      continue;
    }
    const std::string_view rest = piece.substr(i);
    if (std::ranges::any_of(unordered_, [&](auto token) { return rest.starts_with(token); })) {
      return false;
    }
  }
  return true;
}

std::uint32_t Backtracker::child(std::uint32_t node, std::uint8_t byte) const {
  const std::uint64_t key = std::uint64_t{node} << 8 | byte;
  for (std::uint64_t slot = spread(key) & children_mask_;; slot = (slot + 1) & children_mask_) {
    const std::uint64_t found = children_[slot];
    if (found >> 32 == key) return static_cast<std::uint32_t>(found);
    if (found == 0) return 0;
  }
}

std::uint32_t Backtracker::add_child(std::uint32_t node, std::uint8_t byte) {
  if (const std::uint32_t known = child(node, byte); known != 0) return known;
  const auto made = static_cast<std::uint32_t>(ends_.size());
  ends_.push_back(kNone);
  put_child(std::uint64_t{node} << 8 | byte, made);
  return made;
}

void Backtracker::put_child(std::uint64_t key, std::uint32_t child) {
  std::uint64_t slot = spread(key) & children_mask_;
  while (children_[slot] != 0) slot = (slot + 1) & children_mask_;
  children_[slot] = key << 32 | child;
}

void Backtracker::resize_children(std::size_t most_nodes) {
  BigTable<std::uint64_t> old(std::bit_ceil(most_nodes * 3 / 2));
  std::swap(children_, old);
  children_mask_ = children_.size() - 1;
  for (std::size_t i = 0; i < old.size(); ++i) {
    if (old[i] != 0) put_child(old[i] >> 32, static_cast<std::uint32_t>(old[i]));
  }
}

void Backtracker::add_token(std::uint32_t id, std::string_view bytes) {
  lengths_[id] = static_cast<std::uint32_t>(bytes.size());
  longest_ = std::max(longest_, lengths_[id]);
  if (bytes.size() == 1) return;
  const auto* p = reinterpret_cast<const std::uint8_t*>(bytes.data());
  std::uint32_t& second = second_level_[p[0] << 8 | p[1]];
  if (second == 0) {
    second = static_cast<std::uint32_t>(ends_.size());
    ends_.push_back(kNone);
  }
  std::uint32_t node = second;
  for (std::size_t i = 2; i < bytes.size(); ++i) node = add_child(node, p[i]);
  ends_[node] = id;
}

std::uint32_t Backtracker::longest(const std::uint8_t* p, const std::uint8_t* end) const {
  std::uint32_t token = bpe_.byte_id(*p);
  if (end - p < 2) return token;
  std::uint32_t node = second_level_[p[0] << 8 | p[1]];
  for (p += 2; node != 0; node = child(node, *p++)) {
    if (ends_[node] != kNone) token = ends_[node];
    if (p == end) break;
  }
  return token;
}

bool Backtracker::stay_apart(std::uint32_t left, std::uint32_t right) const {
  std::uint64_t before = ~std::uint64_t{0};  // pairs over the border that rank lower are done
  while (true) {
    const std::uint32_t rank = bpe_.rank(left, right);
    if (rank != kNone && rank < before) return false;
    const DoneMerge& made_left = made_by_[left];
    const DoneMerge& made_right = made_by_[right];
    if (made_left.rank == kNone && made_right.rank == kNone) return true;
    // Of equal ranks the one further left went first.
    const bool undo_left =
        made_left.rank != kNone && (made_right.rank == kNone || made_left.rank > made_right.rank);
    if (undo_left) {
      before = std::min(before, std::uint64_t{made_left.rank});
      left = made_left.right;
    } else {
      before = std::min(before, std::uint64_t{made_right.rank} + 1);
      right = made_right.left;
    }
  }
}

// One piece.
class Backtracker::Run {
 public:
  Run(const Backtracker& of, std::string_view piece, BacktrackScratch* scratch)
      : of_(of),
        bytes_(reinterpret_cast<const std::uint8_t*>(piece.data())),
        size_(static_cast<std::uint32_t>(piece.size())),
        scratch_(*scratch) {
    scratch_.dead.assign(size_ / 64 + 1, 0);
    if (scratch_.neighbours.size() == 0) {
      scratch_.neighbours = BigTable<std::uint64_t>(std::size_t{1} << kNeighbourBits);
    }
  }

  std::size_t merge(std::uint32_t* ids) {
    std::size_t count = 0;
    std::uint32_t at = 0;
    std::uint32_t token = longest_at(0);
    while (at < size_) {
      const std::uint32_t end = at + of_.lengths_[token];
      if (!is_dead(end) && (count == 0 || stay_apart(ids[count - 1], token))) {
        ids[count++] = token;
        at = end;
        if (at < size_) token = longest_at(at);
      } else if (of_.shorter_[token] != kNone) {
        token = of_.shorter_[token];
      } else {
        HEADRACE_DCHECK(count > 0);
        scratch_.dead[at / 64] |= std::uint64_t{1} << (at % 64);
        token = ids[--count];
        at -= of_.lengths_[token];
        // This one led to a dead place: on with the next shorter.
      }
    }
    return count;
  }

 private:
  bool is_dead(std::uint32_t at) const { return (scratch_.dead[at / 64] >> (at % 64) & 1) != 0; }

  bool stay_apart(std::uint32_t left, std::uint32_t right) {
    const std::uint64_t key = (std::uint64_t{left} << kIdBits | right) + 1;
    std::uint64_t& known = scratch_.neighbours[spread(key) & ((1U << kNeighbourBits) - 1)];
    if (known >> 1 != key) known = key << 1 | (of_.stay_apart(left, right) ? 1 : 0);
    return (known & 1) != 0;
  }

  // In a run of one byte the longest token is the same everywhere but near its end: else a run of
  // hyphens walks along all of a token of 128 of them at every byte.
  std::uint32_t longest_at(std::uint32_t at) {
    if (at < run_begin_ || at >= run_end_) {
      run_begin_ = at;
      for (run_end_ = at + 1; run_end_ < size_ && bytes_[run_end_] == bytes_[at];) ++run_end_;
      in_run_ = kNone;
    }
    if (run_end_ - at <= of_.longest_) return of_.longest(bytes_ + at, bytes_ + size_);
    if (in_run_ == kNone) in_run_ = of_.longest(bytes_ + at, bytes_ + size_);
    return in_run_;
  }

  const Backtracker& of_;
  const std::uint8_t* bytes_;
  std::uint32_t size_;
  BacktrackScratch& scratch_;
  std::uint32_t run_begin_ = 0;
  std::uint32_t run_end_ = 0;
  std::uint32_t in_run_ = kNone;
};

std::size_t Backtracker::merge(std::string_view piece, BacktrackScratch* scratch,
                               std::uint32_t* ids) const {
  return Run(*this, piece, scratch).merge(ids);
}

}  // namespace headrace::tokenize
