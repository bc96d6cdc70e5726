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
constexpr std::size_t kAhead = 32;  // prefetch distance where the table leaves the near caches

// Slots hold the index of the hash that came first, and the largest number where none did. A later
// hash has a larger index than any before it, so to put the minimum into a slot takes it if it is
// empty and leaves it otherwise: no branch, which nothing could predict. `kFirst`: the top bits of
// the hash itself name its slot, else those of its product with `multiplier`.
template <class Slot, bool kFirst>
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
    return slots_ + ((kFirst ? hash : hash * multiplier_) >> shift_);
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
template <class AnyTable>
std::uint32_t RepeatFinder::settle(const std::uint64_t* hashes, std::uint32_t taken,
                                   const AnyTable& table) {
  std::uint64_t* repeats = repeats_.data();
  std::uint32_t* firsts = firsts_.data() + repeated_;
  std::uint32_t* rest = rest_.data();
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < taken; ++i) {
    const std::uint32_t at = rest[i];
    const std::uint32_t owner = table.owner(hashes[at]);
    std::uint32_t same = hashes[owner] == hashes[at] ? 1 : 0;
    asm("" : "+r"(same));
    repeats[at / 64] |= std::uint64_t{same} << (at % 64);
    *firsts = owner;
    firsts += same;
    rest[left] = at;
    left += 1 - same;
  }
  repeated_ = static_cast<std::uint32_t>(firsts - firsts_.data());
  return left;
}

// All hashes; then, round by round, those that found another in their slot. Each round settles at
// least those that equal its first.
template <class Slot>
void RepeatFinder::mark(const std::uint64_t* hashes, std::uint32_t count,
                        std::vector<Slot>* memory) {
  std::uint32_t* const rest = rest_.data();
  const Table<Slot, true> all(memory, count, 1);
  std::uint32_t taken = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (sizeof(Slot) > 2) __builtin_prefetch(all.slot(hashes[i + kAhead]), 1);
    rest[taken] = i;
    all.take(i, hashes[i], &taken);
  }
  std::uint32_t left = settle(hashes, taken, all);
  for (std::uint64_t multiplier = kNextSlots; left > 0; multiplier *= kNextSlots) {
    const Table<Slot, false> table(memory, left, multiplier);
    taken = 0;
    for (std::uint32_t i = 0; i < left; ++i) {
      const std::uint32_t at = rest[i];
      rest[taken] = at;
      table.take(at, hashes[at], &taken);
    }
    left = settle(hashes, taken, table);
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
    mark(hashes, count, &near_table_);
  } else {
    mark(hashes, count, &far_table_);
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
  return 8 * repeats_.capacity() +
         4 * (firsts_.capacity() + rest_.capacity() + sizes_.capacity() + far_table_.capacity()) +
         2 * near_table_.capacity();
}

}  // namespace headrace::measure
