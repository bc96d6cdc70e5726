// SPDX-License-Identifier: Apache-2.0
// One probe each into a table that holds in each slot the *first* hash that came there. Who finds
// its slot taken is compared with the owner: the same hash, a repeat; another, and it goes to the
// next round, with all its copies, because a slot never changes hands. Each round has about an
// eighth of the last. Exact. Cost: about 1 ns a hash, most of it the probe.
//
// Tried: comparing inside the probing loop (a load that waits for a load: 20 % slower); the hash
// itself in the slot, four times the table (a third slower than that); a table of small counters
// first, as for n-grams of words, then the candidates only (two passes over all: 30 % slower); half
// and a quarter of the slots, to stay in the nearest cache (more hashes for the next round: 3 and
// 15 % slower).
#include "measure/facts/repeats.h"

#include <algorithm>
#include <bit>

namespace headrace::measure {
namespace {

constexpr std::size_t kSlotsPerHash = 4;
constexpr std::uint64_t kNextSlots = 0x9E3779B97F4A7C15;
constexpr std::size_t kHashesPerPart = 8192;

// Slots hold the index of the hash that came first, and the largest number where none did. A later
// hash has a larger index than any before it, so to put the minimum into a slot takes it if it is
// empty and leaves it otherwise: no branch, which nothing could predict. `kTopBits`: those of the
// hash itself name its slot, else those of its product with `multiplier`.
template <class Slot, bool kTopBits>
class Table {
 public:
  Table(std::vector<Slot>* memory, std::size_t hashes, std::uint64_t multiplier)
      : multiplier_(multiplier) {
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(64, kSlotsPerHash * hashes));
    shift_ = 64 - std::countr_zero(slots);
    memory->assign(slots, static_cast<Slot>(~Slot{0}));
    slots_ = memory->data();
  }

  Slot* slot(std::uint64_t hash) const {
    return slots_ + ((kTopBits ? hash : hash * multiplier_) >> shift_);
  }

  // Puts the hash at place `at` into its slot if that is empty. Adds 1 to *taken if another was
  // there.
  void take(std::uint32_t at, std::uint64_t hash, std::uint32_t* taken) const {
    Slot* const place = slot(hash);
    std::uint32_t first = *place;
#if defined(__x86_64__)
    // From C++ the compiler makes a branch, or twice the instructions.
    asm("cmp %2, %0\n\tcmovae %2, %0\n\tadc $0, %1" : "+r"(first), "+r"(*taken) : "r"(at) : "cc");
#else
    *taken += first < at ? 1 : 0;
    first = std::min(first, at);
#endif
    *place = static_cast<Slot>(first);
  }

  std::uint32_t owner(std::uint64_t hash) const { return *slot(hash); }

 private:
  std::uint64_t multiplier_;
  int shift_;
  Slot* slots_;
};

}  // namespace

// Compares those of the `taken` places in `rest_` with the owners of their slots: marks the repeats
// and keeps the others in `rest_`, in order. Returns how many these are.
template <class AnyTable, class Index>
std::uint32_t RepeatFinder::settle(const std::uint64_t* hashes, std::uint32_t taken,
                                   const AnyTable& table, Index index) {
  std::uint64_t* repeats = repeats_.data();
  std::uint32_t* firsts = firsts_.data() + repeated_;
  std::uint32_t* rest = rest_.data();
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < taken; ++i) {
    const std::uint32_t at = rest[i];
    const std::uint32_t owner = table.owner(hashes[at]);
    std::uint32_t same = hashes[owner] == hashes[at] ? 1 : 0;
    asm("" : "+r"(same));
    const std::uint32_t place = index(at);
    repeats[place / 64] |= std::uint64_t{same} << (place % 64);
    *firsts = index(owner);
    firsts += same;
    rest[left] = at;
    left += 1 - same;
  }
  repeated_ = static_cast<std::uint32_t>(firsts - firsts_.data());
  return left;
}

// All hashes; then, round by round, those that found another in their slot. Each round settles at
// least those that equal its first. Hash i stands at index(i) of the sequence, in the same order.
template <class Slot, bool kTopBits, class Index>
void RepeatFinder::mark(const std::uint64_t* hashes, std::uint32_t count, std::vector<Slot>* memory,
                        Index index) {
  std::uint32_t* const rest = rest_.data();
  const Table<Slot, kTopBits> all(memory, count, kNextSlots);
  std::uint32_t taken = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    rest[taken] = i;
    all.take(i, hashes[i], &taken);
  }
  std::uint32_t left = settle(hashes, taken, all, index);
  for (std::uint64_t multiplier = kNextSlots * kNextSlots; left > 0; multiplier *= kNextSlots) {
    const Table<Slot, false> table(memory, left, multiplier);
    taken = 0;
    for (std::uint32_t i = 0; i < left; ++i) {
      const std::uint32_t at = rest[i];
      rest[taken] = at;
      table.take(at, hashes[at], &taken);
    }
    left = settle(hashes, taken, table, index);
  }
}

// Sorts the hashes into parts by their top bits, so that equal ones meet and each part has a table
// in the near caches. One table of them all would miss all caches: 20 times slower at 2 million.
void RepeatFinder::find_in_parts(const std::uint64_t* hashes, std::uint32_t count) {
  const std::size_t parts = std::bit_ceil(count / kHashesPerPart + std::size_t{1});
  const int shift = 64 - std::countr_zero(parts);
  if (part_hashes_.size() < count) {
    part_hashes_.resize(count);
    part_index_.resize(count);
  }
  std::vector<std::uint32_t> ends(parts + 1, 0);
  for (std::uint32_t i = 0; i < count; ++i) ++ends[(hashes[i] >> shift) + 1];
  for (std::size_t part = 0; part < parts; ++part) ends[part + 1] += ends[part];
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t to = ends[hashes[i] >> shift]++;
    part_hashes_[to] = hashes[i];
    part_index_[to] = i;
  }
  std::uint32_t begin = 0;
  for (std::size_t part = 0; part < parts; ++part) {
    const std::uint32_t size = ends[part] - begin;
    const std::uint32_t* index = part_index_.data() + begin;
    const auto index_of = [index](std::uint32_t i) { return index[i]; };
    if (size < 0xFFFF) {
      mark<std::uint16_t, false>(part_hashes_.data() + begin, size, &near_table_, index_of);
    } else {  // thousands of one hash
      mark<std::uint32_t, false>(part_hashes_.data() + begin, size, &far_table_, index_of);
    }
    begin = ends[part];
  }
}

void RepeatFinder::find(const std::uint64_t* hashes, std::uint32_t count) {
  if (rest_.size() < count + std::size_t{1}) {
    firsts_.resize(count + std::size_t{1});
    rest_.resize(count + std::size_t{1});
  }
  repeated_ = 0;
  repeats_.assign(count / 64 + 1, 0);
  if (count < 0xFFFF) {
    mark<std::uint16_t, true>(hashes, count, &near_table_, [](std::uint32_t i) { return i; });
  } else {
    find_in_parts(hashes, count);
  }
}

std::span<const std::uint32_t> RepeatFinder::group_sizes() {
  // Between searches `rest_` is free: a counter for each hash.
  std::uint32_t* counts = rest_.data();
  if (sizes_.size() < repeated_) sizes_.resize(repeated_);
  for (std::uint32_t i = 0; i < repeated_; ++i) counts[firsts_[i]] = 1;
  for (std::uint32_t i = 0; i < repeated_; ++i) ++counts[firsts_[i]];
  std::uint32_t groups = 0;
  for (std::uint32_t i = 0; i < repeated_; ++i) {
    std::uint32_t& count = counts[firsts_[i]];
    sizes_[groups] = count;
    groups += count != 0 ? 1 : 0;
    count = 0;
  }
  return {sizes_.data(), groups};
}

std::size_t RepeatFinder::bytes() const {
  return 8 * (repeats_.capacity() + part_hashes_.capacity()) +
         4 * (part_index_.capacity() + firsts_.capacity() + rest_.capacity() + sizes_.capacity() +
              far_table_.capacity()) +
         2 * near_table_.capacity();
}

}  // namespace headrace::measure
