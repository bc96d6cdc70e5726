// SPDX-License-Identifier: Apache-2.0
// Where a text has the period p, its runs of ten code points equal those p earlier, so all of them
// repeat: only stretches of repeating runs need be looked at, a few per cent of prose. A periodic
// run of the least length leaves max(4p, 16) - p - 9 of them in a row: 3 at least, but 39 where p
// is 16 or more. So every third place is asked for the periods up to 5, every ninth for those up to
// 8, every 18th up to 15 and every 39th up to 64, which is less than four comparisons of hashes for
// each repeating run, and misses none.
//
// A period that holds is followed to both of its ends, and the search goes on behind it, with all
// periods asked there once. What is skipped holds no news: a run of another period that neither
// contains the place of the discovery nor reaches the end shares so much with the first that it has
// its period too (Fine and Wilf 1965), except for shorter periods inside, which are covered.
#include "measure/facts/periods.h"

#include <algorithm>
#include <array>
#include <bit>

#include "measure/facts/code_point_runs.h"

namespace headrace::measure {
namespace {

// The first position at or behind `from` whose bit is `set`; `end` if none is.
std::uint32_t next_bit(std::span<const std::uint64_t> bits, std::uint32_t from, std::uint32_t end,
                       bool set) {
  const std::uint64_t flip = set ? 0 : ~std::uint64_t{0};
  for (std::uint32_t word = from / 64; word * 64 < end; ++word) {
    std::uint64_t left = bits[word] ^ flip;
    if (word == from / 64) left &= ~std::uint64_t{0} << (from % 64);
    if (left != 0)
      return std::min(end, word * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
  }
  return end;
}

class Search {
 public:
  Search(std::span<const std::uint64_t> hashes, std::vector<std::uint64_t>* marks)
      : hashes_(hashes), marks_(*marks) {}

  // All runs from `begin` to `end` repeat.
  void stretch(std::uint32_t begin, std::uint32_t end) {
    std::uint32_t origin = begin;
    for (std::uint32_t step = 1; origin + 3 * step - 1 < end; ++step) {
      const std::uint32_t most = step % 13 == 0  ? kLongestPeriod
                                 : step % 6 == 0 ? 15
                                 : step % 3 == 0 ? 8
                                                 : 5;
      std::uint32_t behind = ask(origin + 3 * step - 1, most);
      if (behind == 0) continue;
      for (origin = behind; behind != 0 && behind < end; behind = ask(behind, kLongestPeriod))
        origin = behind;
      step = 0;
    }
  }

  bool found() const { return found_; }

 private:
  // Marks the periodic runs through place `at` if there is one of a period up to `most`, and
  // returns the end of that with the smallest; 0 if there is none.
  std::uint32_t ask(std::uint32_t at, std::uint32_t most) {
    std::uint32_t behind = 0;
    std::uint32_t smallest = 0;
    for (std::uint32_t p = 1; p <= std::min(most, at); ++p) {
      if (hashes_[at] != hashes_[at - p] || at < done_[p]) continue;
      if (smallest != 0 && p % smallest == 0) continue;
      const std::uint32_t end = follow(at, p);
      if (end == 0 || behind != 0) continue;
      behind = end;
      smallest = p;
      most = kLongestPeriod;
    }
    return behind;
  }

  std::uint32_t follow(std::uint32_t at, std::uint32_t p) {
    std::uint32_t begin = at;
    std::uint32_t end = at + 1;
    while (begin > p && hashes_[begin - 1] == hashes_[begin - 1 - p]) --begin;
    while (end < hashes_.size() && hashes_[end] == hashes_[end - p]) ++end;
    done_[p] = end;
    const std::uint32_t first = begin - p;
    const std::uint32_t last = end + kRunCodePoints - 1;
    if (last - first < std::max(kLeastPeriods * p, kShortestPeriodicRun)) return 0;
    mark(first, last);
    return end;
  }

  void mark(std::uint32_t begin, std::uint32_t end) {
    if (!found_) marks_.assign((hashes_.size() + kRunCodePoints) / 64 + 1, 0);
    found_ = true;
    for (std::uint32_t word = begin / 64; word <= (end - 1) / 64; ++word) {
      std::uint64_t bits = ~std::uint64_t{0};
      if (word == begin / 64) bits &= ~std::uint64_t{0} << (begin % 64);
      if (word == (end - 1) / 64) bits &= ~std::uint64_t{0} >> (63 - (end - 1) % 64);
      marks_[word] |= bits;
    }
  }

  std::span<const std::uint64_t> hashes_;
  std::vector<std::uint64_t>& marks_;
  bool found_ = false;
  std::array<std::uint32_t, kLongestPeriod + 1> done_{};  // how far each period has been followed
};

}  // namespace

std::uint32_t PeriodCounter::count(std::span<const std::uint64_t> hashes,
                                   std::span<const std::uint64_t> repeats) {
  const auto runs = static_cast<std::uint32_t>(hashes.size());
  Search search(hashes, &marks_);
  for (std::uint32_t end = 0;;) {
    const std::uint32_t begin = next_bit(repeats, end, runs, true);
    if (begin == runs) break;
    end = next_bit(repeats, begin, runs, false);
    if (end - begin >= 3) search.stretch(begin, end);
  }
  if (!search.found()) return 0;
  std::uint32_t marked = 0;
  for (const std::uint64_t word : marks_) marked += static_cast<std::uint32_t>(std::popcount(word));
  return marked;
}

}  // namespace headrace::measure
