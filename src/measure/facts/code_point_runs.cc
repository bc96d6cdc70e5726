// SPDX-License-Identifier: Apache-2.0
// Runs of code points that began earlier in the text.
//
// Hash every run (record/code_point_ngrams.h), then one probe each into a table that
// holds in each slot the *first* run that came there. Who finds its slot taken is compared with the
// owner: the same hash, a repeat; another, and the run goes to the next round, with all its copies,
// because a slot never changes hands. Each round has about an eighth of the last. Exact up to
// equality of 64-bit hashes. Cost: about 2 ns a code point, most of it the probe.
//
// Tried: comparing inside the probing loop (a load that waits for a load: 20 % slower); the hash
// itself in the slot, four times the table (a third slower than that); a table of small counters
// first, as for n-grams of words, then the candidates only (two passes over all runs: 30 % slower).
#include "measure/facts/code_point_runs.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "record/code_point_ngrams.h"

namespace headrace::measure {
namespace {

constexpr unsigned kN = kRunCodePoints;
constexpr std::size_t kPieceBlocks = std::size_t{1} << 16;  // of 64 bytes
constexpr std::size_t kKeepBytes = std::size_t{16} << 20;
constexpr std::size_t kSlotsPerRun = 4;
constexpr std::size_t kAhead = 32;  // prefetch distance where the table leaves the near caches

// A run that found its slot taken.
struct Hit {
  std::uint32_t run;
  std::uint32_t owner;  // 1 + the run in the slot
};

}  // namespace

// Memory only: nothing lasts between calls.
struct CodePointRunCounter::Scratch {
  std::vector<std::uint64_t> hashes;
  std::vector<Hit> hits;
  std::vector<std::uint64_t> repeats;  // bit i: run i began earlier
  std::vector<std::uint32_t> rest;     // runs for the next round
  std::vector<std::uint16_t> near_table;
  std::vector<std::uint32_t> far_table;

  std::size_t bytes() const {
    return 8 * (hashes.capacity() + hits.capacity() + repeats.capacity()) +
           4 * (rest.capacity() + far_table.capacity()) + 2 * near_table.capacity();
  }
};

namespace {

using Scratch = CodePointRunCounter::Scratch;

// Slots hold 1 + the index of the run that came first; 0 is empty. `multiplier` chooses which bits
// of a hash name the slot.
template <class Slot>
class Table {
 public:
  Table(std::vector<Slot>* memory, std::size_t runs, std::uint64_t multiplier)
      : multiplier_(multiplier) {
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(64, kSlotsPerRun * runs));
    shift_ = 64 - std::countr_zero(slots);
    memory->assign(slots, 0);
    slots_ = memory->data();
  }

  Slot* slot(std::uint64_t hash) const { return slots_ + ((hash * multiplier_) >> shift_); }

  // Puts the run into its slot if that is empty. Returns what was there.
  std::uint32_t take(std::uint32_t run, std::uint64_t hash) const {
    Slot* const at = slot(hash);
    const std::uint32_t found = *at;
    std::uint32_t empty = found == 0 ? 1 : 0;
    // Whether a slot is empty is unpredictable: this keeps the compiler from branching on it.
    asm("" : "+r"(empty));
    *at = static_cast<Slot>(found | ((run + 1) & (0 - empty)));
    return found;
  }

 private:
  std::uint64_t multiplier_;
  int shift_;
  Slot* slots_;
};

// Compares the first `count` hits with the owners of their slots: marks the repeats and keeps the
// others in `rest`, in order. Returns how many these are.
std::uint32_t settle(std::uint32_t count, Scratch* scratch) {
  const std::uint64_t* hashes = scratch->hashes.data();
  std::uint64_t* repeats = scratch->repeats.data();
  std::uint32_t* rest = scratch->rest.data();
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Hit hit = scratch->hits[i];
    std::uint32_t same = hashes[hit.owner - 1] == hashes[hit.run] ? 1 : 0;
    asm("" : "+r"(same));
    repeats[hit.run / 64] |= std::uint64_t{same} << (hit.run % 64);
    rest[left] = hit.run;
    left += 1 - same;
  }
  return left;
}

// All runs; then, round by round, those that found another run in their slot. Each round settles at
// least the runs that equal its first.
template <class Slot>
void mark_repeats(std::uint32_t runs, std::vector<Slot>* memory, Scratch* scratch) {
  const std::uint64_t* hashes = scratch->hashes.data();
  Hit* hits = scratch->hits.data();
  std::uint64_t multiplier = 1;
  const Table<Slot> all(memory, runs, multiplier);
  std::uint32_t count = 0;
  for (std::uint32_t run = 0; run < runs; ++run) {
    if (sizeof(Slot) > 2) __builtin_prefetch(all.slot(hashes[run + kAhead]), 1);
    const std::uint32_t found = all.take(run, hashes[run]);
    hits[count] = {run, found};
    count += found != 0 ? 1 : 0;
  }
  for (std::uint32_t left = settle(count, scratch); left > 0; left = settle(count, scratch)) {
    multiplier *= 0x9E3779B97F4A7C15;
    const Table<Slot> table(memory, left, multiplier);
    count = 0;
    for (std::uint32_t i = 0; i < left; ++i) {
      const std::uint32_t run = scratch->rest[i];
      const std::uint32_t found = table.take(run, hashes[run]);
      hits[count] = {run, found};
      count += found != 0 ? 1 : 0;
    }
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

// How many of the code points of some blocks are covered. There are at most `capacity` of them.
std::size_t covered_in(const TextView& view, std::size_t first_block, std::size_t last_block,
                       std::size_t capacity, Scratch* scratch) {
  if (scratch->rest.size() < capacity + 1) {
    scratch->hashes.resize(capacity + kCodePointHashSlack);
    scratch->hits.resize(capacity + 1);
    scratch->rest.resize(capacity + 1);
  }
  std::uint64_t* hashes = scratch->hashes.data();
  const std::size_t count = hash_code_points(view, first_block, last_block, hashes);
  const auto runs =
      static_cast<std::uint32_t>(combine_code_point_hashes(view.simd, hashes, count, kN));
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

}  // namespace

CodePointRunCounter::CodePointRunCounter() : scratch_(std::make_unique<Scratch>()) {}
CodePointRunCounter::~CodePointRunCounter() = default;

CodePointRuns CodePointRunCounter::count(const TextView& view) {
  CodePointRuns runs;
  if (view.counts.code_points < kN) return runs;
  for (std::size_t first = 0; first < view.blocks.size(); first += kPieceBlocks) {
    const std::size_t last = std::min(first + kPieceBlocks, view.blocks.size());
    const std::size_t capacity =
        std::min<std::size_t>(view.counts.code_points, 64 * (last - first));
    runs.covered += covered_in(view, first, last, capacity, scratch_.get());
  }
  if (scratch_->bytes() > kKeepBytes) *scratch_ = Scratch();
  return runs;
}

}  // namespace headrace::measure
