// SPDX-License-Identifier: Apache-2.0
// From each seed hit the search grows both ways, gram by gram, until more than `gap_tokens` lie
// between two matches. So a chance hit in a page of other text costs some forty look-ups, however
// long the item. What grew is an island; neighbours join when little lies between them beside what
// they hold, and each is scored by itself: an item of four thousand tokens would else collect
// scattered phrases of a whole book.
#include "leak/internal/islands.h"

#include <algorithm>

namespace headrace::leak {
namespace {

// The document's check gram from a token on, and whether the item has it.
class Matcher {
 public:
  Matcher(const IndexData& index, const ItemEntry& entry, TokenRow row)
      : grams_(index.grams(entry)), row_(row), half_units_(index.settings.check_half_units) {}

  bool at(std::uint32_t begin, GramMatch* match) const {
    std::uint32_t units = 0;
    std::uint32_t end = begin;
    for (; units < half_units_; ++end) {
      if (end == row_.size()) return false;
      units += row_.half_units[end];
    }
    const std::uint32_t key = ItemGrams::key(row_.gram(begin, end));
    if (!grams_.has(key)) return false;
    *match = {begin, end, key};
    return true;
  }

 private:
  ItemGrams grams_;
  TokenRow row_;
  std::uint32_t half_units_;
};

}  // namespace

void IslandFinder::find(const IndexData& index, const ItemEntry& entry, TokenRow row,
                        std::span<const std::uint32_t> seeds, std::uint32_t from, std::uint32_t to,
                        std::uint32_t gap_tokens) {
  const Matcher matcher(index, entry, row);
  const std::uint32_t longest = index.settings.check_half_units;  // tokens of a gram, at most
  matches_.clear();
  islands_.clear();
  std::uint32_t seen = from;  // tokens before this are done with
  for (const std::uint32_t seed : seeds) {
    if (seed < seen) continue;
    GramMatch match;
    if (!matcher.at(seed, &match)) continue;  // a seed of equal hash
    left_.clear();
    std::uint32_t begin = seed;
    for (std::uint32_t at = seed; at > seen && at + gap_tokens + longest > begin;) {
      GramMatch before;
      if (!matcher.at(--at, &before) || before.end + gap_tokens < begin) continue;
      left_.push_back(before);
      begin = at;
    }
    islands_.push_back({matches_.size(), 0});
    matches_.insert(matches_.end(), left_.rbegin(), left_.rend());
    matches_.push_back(match);
    std::uint32_t end = match.end;
    std::uint32_t at = seed + 1;
    for (; at < to && at <= end + gap_tokens; ++at) {
      if (!matcher.at(at, &match)) continue;
      matches_.push_back(match);
      end = match.end;
    }
    seen = at;
    islands_.back().last = matches_.size();
  }
  join();
}

// Until no neighbours are left between which lies at most half of what they span together.
void IslandFinder::join() {
  std::size_t kept = 0;
  for (const Island island : islands_) {
    islands_[kept++] = island;
    while (kept > 1) {
      Island& before = islands_[kept - 2];
      const Island& last = islands_[kept - 1];
      const std::uint32_t lengths = end(before) - begin(before) + end(last) - begin(last);
      if (begin(last) > end(before) && 2 * (begin(last) - end(before)) > lengths) break;
      before.last = last.last;
      --kept;
    }
  }
  islands_.resize(kept);
}

}  // namespace headrace::leak
