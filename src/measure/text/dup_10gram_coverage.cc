// SPDX-License-Identifier: Apache-2.0
// Duplicate 10-gram coverage: share of code points that lie in a 10-gram of code points seen
// before.
//
// Source: Gopher (arXiv 2112.11446) has the idea on words; on code points it needs no tokenizer,
// works in Chinese and English alike, and sees what has no words at all ("=====", "哈哈哈哈"). A
// run of 10 code points repeats when the same 10 began anywhere earlier, overlaps included; every
// code point that some repeating run covers counts, once. So the first occurrence does not count,
// the copies do: a paragraph of 200 pasted 20 times scores 0.95, one character over and over
// nearly 1. All code points count, white space too. datatrove instead walks greedily and never
// enters the 10-grams inside a copy; on periodic text the two differ by less than one period. It
// grows with length (what can be said in ten characters recurs), so bounds belong in buckets.
//
// Null below 10 code points. A text above 4 MiB is measured in pieces of 4 MiB, so that memory has
// a bound: the value is the share over all pieces.
//
// Algorithm: hash every run (record/code_point_ngrams.h), then one probe each into a table that
// holds in each slot the *first* run that came there. The same hash there: a repeat. Another: the
// run goes to the next round, with all its copies, because a slot never changes hands. Each round
// has about an eighth of the last. Exact up to equality of 64-bit hashes, without a branch on the
// data. Cost: about 2 ns a code point.
#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "measure/measure.h"
#include "record/code_point_ngrams.h"

namespace headrace::measure {
namespace {

constexpr unsigned kN = 10;
constexpr std::size_t kPieceBlocks = std::size_t{1} << 16;  // of 64 bytes
constexpr std::size_t kKeepBytes = std::size_t{16} << 20;
constexpr std::size_t kFarRuns = 8192;  // more runs than this: the table leaves the near cache
constexpr std::size_t kAhead = 16;

// Memory only: nothing lasts between calls.
struct Scratch {
  std::vector<std::uint64_t> hashes;
  std::vector<std::uint64_t> repeats;  // bit i: run i began earlier
  std::vector<std::uint32_t> rest;     // runs for the next round
  std::vector<std::uint16_t> near_table;
  std::vector<std::uint32_t> far_table;

  std::size_t bytes() const {
    return 8 * (hashes.capacity() + repeats.capacity()) +
           4 * (rest.capacity() + far_table.capacity()) + 2 * near_table.capacity();
  }
};

// Slots hold 1 + the index of the run that came first; 0 is empty.
template <class Slot>
class Round {
 public:
  Round(std::vector<Slot>* table, std::size_t runs, std::uint64_t multiplier, Scratch* scratch)
      : hashes_(scratch->hashes.data()),
        repeats_(scratch->repeats.data()),
        rest_(scratch->rest.data()),
        multiplier_(multiplier) {
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(64, 4 * runs));
    shift_ = 64 - std::countr_zero(slots);
    table->assign(slots, 0);
    slots_ = table->data();
  }

  void prefetch(std::uint32_t run) const { __builtin_prefetch(&slots_[slot(run)], 1); }

  void add(std::uint32_t run) {
    const std::size_t at = slot(run);
    const std::uint32_t found = slots_[at];
    const std::uint32_t occupied = found != 0 ? 1 : 0;
    const std::uint32_t first = occupied ? found : run + 1;
    slots_[at] = static_cast<Slot>(first);
    const std::uint32_t same = hashes_[first - 1] == hashes_[run] ? 1 : 0;
    repeats_[run / 64] |= std::uint64_t{same & occupied} << (run % 64);
    rest_[rest_count_] = run;
    rest_count_ += 1 - same;
  }

  std::size_t rest_count() const { return rest_count_; }

 private:
  std::size_t slot(std::uint32_t run) const { return (hashes_[run] * multiplier_) >> shift_; }

  const std::uint64_t* hashes_;
  std::uint64_t* repeats_;
  std::uint32_t* rest_;
  std::uint64_t multiplier_;
  int shift_;
  Slot* slots_;
  std::size_t rest_count_ = 0;
};

// All runs, then what is left of them, until nothing is left: each round settles at least the runs
// that equal the first.
template <class Slot>
void mark_repeats(std::size_t runs, std::vector<Slot>* table, Scratch* scratch) {
  const auto count = static_cast<std::uint32_t>(runs);
  std::uint64_t multiplier = 1;
  Round<Slot> all(table, runs, multiplier, scratch);
  if (runs > kFarRuns) {
    for (std::uint32_t i = 0; i < count; ++i) {
      all.prefetch(std::min<std::uint32_t>(i + kAhead, count - 1));
      all.add(i);
    }
  } else {
    for (std::uint32_t i = 0; i < count; ++i) all.add(i);
  }
  for (std::size_t left = all.rest_count(); left > 0;) {
    multiplier *= 0x9E3779B97F4A7C15;
    Round<Slot> round(table, left, multiplier, scratch);
    for (std::size_t i = 0; i < left; ++i) round.add(scratch->rest[i]);
    left = round.rest_count();
  }
}

// Bit i of the result: run i, i - 1, ... or i - 9 repeats, that is, code point i is covered.
std::uint64_t covered(std::uint64_t before, std::uint64_t repeats) {
  // The runs that reach in from the word before fit into nine bits below bit 0.
  const auto spread = [](std::uint64_t x) {
    const std::uint64_t two = x | (x << 1);
    const std::uint64_t four = two | (two << 2);
    return four | (four << 4) | (two << 8);
  };
  const std::uint64_t reach = before >> 55;  // bit k: run k - 9
  return spread(repeats) | (spread(reach) >> 9);
}

// How many of the code points of some blocks are covered; `code_points` gets how many there are.
std::size_t covered_in(const TextView& view, std::size_t first_block, std::size_t last_block,
                       std::size_t capacity, Scratch* scratch) {
  if (scratch->hashes.size() < capacity + kCodePointHashSlack) {
    scratch->hashes.resize(capacity + kCodePointHashSlack);
    scratch->rest.resize(capacity + 1);
  }
  std::uint64_t* hashes = scratch->hashes.data();
  const std::size_t count = hash_code_points(view, first_block, last_block, hashes);
  const std::size_t runs = combine_code_point_hashes(view.simd, hashes, count, kN);
  if (runs == 0) return 0;
  scratch->repeats.assign(count / 64 + 1, 0);
  if (runs < 0xFFFF) {
    mark_repeats(runs, &scratch->near_table, scratch);
  } else {
    mark_repeats(runs, &scratch->far_table, scratch);
  }
  std::size_t result = 0;
  std::uint64_t before = 0;
  for (const std::uint64_t word : scratch->repeats) {
    result += static_cast<std::size_t>(std::popcount(covered(before, word)));
    before = word;
  }
  return result;
}

class Dup10gramCoverage final : public Measure {
 public:
  std::optional<double> of(const TextView& view) const override {
    if (view.counts.code_points < kN) return std::nullopt;
    thread_local Scratch scratch;
    std::size_t result = 0;
    for (std::size_t first = 0; first < view.blocks.size(); first += kPieceBlocks) {
      const std::size_t last = std::min(first + kPieceBlocks, view.blocks.size());
      const std::size_t capacity =
          std::min<std::size_t>(view.counts.code_points, 64 * (last - first));
      result += covered_in(view, first, last, capacity, &scratch);
    }
    if (scratch.bytes() > kKeepBytes) scratch = Scratch();
    return static_cast<double>(result) / static_cast<double>(view.counts.code_points);
  }
};

}  // namespace

void register_dup_10gram_coverage(Registry& registry) {
  registry.add(
      {"dup_10gram_coverage", "share",
       "share of code points inside a run of 10 code points that occurred before; null below "
       "10 code points",
       [] { return std::unique_ptr<Measure>(std::make_unique<Dup10gramCoverage>()); }});
}

}  // namespace headrace::measure
