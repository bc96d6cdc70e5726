// SPDX-License-Identifier: Apache-2.0
// Where a text has the period p, its runs of ten code points equal those p earlier, so all of them
// repeat: only stretches of repeating runs need be looked at, a few per cent of prose. A periodic
// run of the least length leaves max(4p, 16) - p - 9 of them in a row: 3 at least, but 39 where p
// is 16 or more. So every third place is asked for the periods up to 5, every ninth for those up to
// 8, every 18th up to 15 and every 39th up to 64, which is less than four comparisons for
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

#include "measure/internal/code_point_run.h"

namespace headrace::measure {
namespace {

// Behind the last set bit of those that follow bit `begin` without a gap.
std::uint32_t end_of_stretch(std::span<const std::uint64_t> bits, std::uint32_t begin,
                             std::uint32_t end) {
  std::uint64_t clear = ~bits[begin / 64] & (~std::uint64_t{0} << (begin % 64));
  std::uint32_t word = begin / 64;
  while (clear == 0 && 64 * (word + 1) < end) clear = ~bits[++word];
  return clear == 0
             ? end
             : std::min(end, 64 * word + static_cast<std::uint32_t>(std::countr_zero(clear)));
}

template <class Runs>
class Search {
 public:
  Search(const Runs& runs, std::uint32_t count, std::vector<std::uint64_t>* marks)
      : runs_(runs), count_(count), marks_(*marks) {}

  // Whether the runs from `begin` to `end`, which all repeat, are worth a search: up to eight of
  // them are asked for periods up to 5 at two places, which is seen by their first bytes, without a
  // branch.
  bool may_be_periodic(std::uint32_t begin, std::uint32_t end) const {
    return end - begin > 8 || may_have_short_period(begin + 2) ||
           (end - begin > 5 && may_have_short_period(begin + 5));
  }

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
  bool may_have_short_period(std::uint32_t at) const {
    if (at < 5) return true;
    unsigned like = 0;
    for (std::uint32_t p = 1; p <= 5; ++p) like |= runs_.begin_alike(at, at - p) ? 1u : 0u;
    return like != 0;
  }

  // Marks the periodic runs through place `at` if there is one of a period up to `most`, and
  // returns the end of that with the smallest; 0 if there is none.
  std::uint32_t ask(std::uint32_t at, std::uint32_t most) {
    std::uint32_t behind = 0;
    std::uint32_t smallest = 0;
    for (std::uint32_t p = 1; p <= std::min(most, at); ++p) {
      if (!runs_.begin_alike(at, at - p) || !runs_.same(at, at - p) || at < done_[p]) continue;
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
    while (begin > p && runs_.same(begin - 1, begin - 1 - p)) --begin;
    while (end < count_ && runs_.same(end, end - p)) ++end;
    done_[p] = end;
    const std::uint32_t first = begin - p;
    const std::uint32_t last = end + kRunCodePoints - 1;
    if (last - first < std::max(kLeastPeriods * p, kShortestPeriodicRun)) return 0;
    mark(first, last);
    return end;
  }

  void mark(std::uint32_t begin, std::uint32_t end) {
    if (!found_) marks_.assign((count_ + kRunCodePoints) / 64 + 1, 0);
    found_ = true;
    for (std::uint32_t word = begin / 64; word <= (end - 1) / 64; ++word) {
      std::uint64_t bits = ~std::uint64_t{0};
      if (word == begin / 64) bits &= ~std::uint64_t{0} << (begin % 64);
      if (word == (end - 1) / 64) bits &= ~std::uint64_t{0} >> (63 - (end - 1) % 64);
      marks_[word] |= bits;
    }
  }

  Runs runs_;
  std::uint32_t count_;
  std::vector<std::uint64_t>& marks_;
  bool found_ = false;
  std::array<std::uint32_t, kLongestPeriod + 1> done_{};  // how far each period has been followed
};

}  // namespace

template <class Runs>
std::uint32_t PeriodCounter::count(const Runs& runs, std::uint32_t count,
                                   std::span<const std::uint64_t> repeats) {
  Search<Runs> search(runs, count, &marks_);
  std::uint64_t carry = 0;
  for (std::uint32_t word = 0; word < repeats.size(); ++word) {
    const std::uint64_t here = repeats[word];
    const std::uint64_t next = word + 1 < repeats.size() ? repeats[word + 1] : 0;
    // Stretches of three or more: a shorter one tells of no period.
    const std::uint64_t three = here & (here >> 1 | next << 63) & (here >> 2 | next << 62);
    for (std::uint64_t begins = three & ~(here << 1 | carry); begins != 0; begins &= begins - 1) {
      const std::uint32_t begin = 64 * word + static_cast<std::uint32_t>(std::countr_zero(begins));
      const std::uint32_t end = end_of_stretch(repeats, begin, count);
      if (search.may_be_periodic(begin, end)) search.stretch(begin, end);
    }
    carry = here >> 63;
  }
  if (!search.found()) return 0;
  std::uint32_t marked = 0;
  for (const std::uint64_t word : marks_) marked += static_cast<std::uint32_t>(std::popcount(word));
  return marked;
}

template std::uint32_t PeriodCounter::count(const internal::AsciiRuns&, std::uint32_t,
                                            std::span<const std::uint64_t>);
template std::uint32_t PeriodCounter::count(const internal::Utf8Runs&, std::uint32_t,
                                            std::span<const std::uint64_t>);

}  // namespace headrace::measure
