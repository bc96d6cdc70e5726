// SPDX-License-Identifier: Apache-2.0
// One probe each into a table that holds in each slot the *first* hash that came there. Who finds
// its slot taken is compared with the owner: the same hash, a repeat; another, and it goes to the
// next round, with all its copies, because a slot never changes hands. Each round has about an
// eighth of the last. Exact. Cost: about 1.5 ns a hash, most of it the probe.
//
// Tried: comparing inside the probing loop (a load that waits for a load: 20 % slower); the hash
// itself in the slot, four times the table (a third slower than that); a table of small counters
// first, as for n-grams of words, then the candidates only (two passes over all: 30 % slower).
#include "measure/facts/repeats.h"

#include <algorithm>
#include <bit>

namespace headrace::measure {
namespace {

constexpr std::size_t kSlotsPerHash = 4;
constexpr std::size_t kAhead = 32;  // prefetch distance where the table leaves the near caches

// Slots hold 1 + the index of the hash that came first; 0 is empty. `multiplier` chooses which bits
// of a hash name the slot.
template <class Slot>
class Table {
 public:
  Table(std::vector<Slot>* memory, std::size_t hashes, std::uint64_t multiplier)
      : multiplier_(multiplier) {
    const std::size_t slots = std::bit_ceil(std::max<std::size_t>(64, kSlotsPerHash * hashes));
    shift_ = 64 - std::countr_zero(slots);
    memory->assign(slots, 0);
    slots_ = memory->data();
  }

  Slot* slot(std::uint64_t hash) const { return slots_ + ((hash * multiplier_) >> shift_); }

  // Puts the hash into its slot if that is empty. Returns what was there.
  std::uint32_t take(std::uint32_t at, std::uint64_t hash) const {
    Slot* const place = slot(hash);
    const std::uint32_t found = *place;
    std::uint32_t empty = found == 0 ? 1 : 0;
    // Whether a slot is empty is unpredictable: this keeps the compiler from branching on it.
    asm("" : "+r"(empty));
    *place = static_cast<Slot>(found | ((at + 1) & (0 - empty)));
    return found;
  }

 private:
  std::uint64_t multiplier_;
  int shift_;
  Slot* slots_;
};

}  // namespace

// Compares the first `count` hits with the owners of their slots: marks the repeats and keeps the
// others in `rest_`, in order. Returns how many these are.
std::uint32_t RepeatFinder::settle(const std::uint64_t* hashes, std::uint32_t count) {
  const Hit* hits = hits_.data();
  std::uint64_t* repeats = repeats_.data();
  std::uint32_t* firsts = firsts_.data() + repeated_;
  std::uint32_t* rest = rest_.data();
  std::uint32_t left = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Hit hit = hits[i];
    std::uint32_t same = hashes[hit.owner - 1] == hashes[hit.at] ? 1 : 0;
    asm("" : "+r"(same));
    repeats[hit.at / 64] |= std::uint64_t{same} << (hit.at % 64);
    *firsts = hit.owner - 1;
    firsts += same;
    rest[left] = hit.at;
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
  Hit* hits = hits_.data();
  std::uint64_t multiplier = 1;
  const Table<Slot> all(memory, count, multiplier);
  std::uint32_t taken = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (sizeof(Slot) > 2) __builtin_prefetch(all.slot(hashes[i + kAhead]), 1);
    const std::uint32_t found = all.take(i, hashes[i]);
    hits[taken] = {i, found};
    taken += found != 0 ? 1 : 0;
  }
  for (std::uint32_t left = settle(hashes, taken); left > 0; left = settle(hashes, taken)) {
    multiplier *= 0x9E3779B97F4A7C15;
    const Table<Slot> table(memory, left, multiplier);
    taken = 0;
    for (std::uint32_t i = 0; i < left; ++i) {
      const std::uint32_t at = rest_[i];
      const std::uint32_t found = table.take(at, hashes[at]);
      hits[taken] = {at, found};
      taken += found != 0 ? 1 : 0;
    }
  }
}

void RepeatFinder::find(const std::uint64_t* hashes, std::uint32_t count) {
  if (rest_.size() < count + std::size_t{1}) {
    hits_.resize(count + std::size_t{1});
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
  return 8 * (hits_.capacity() + repeats_.capacity()) +
         4 * (firsts_.capacity() + rest_.capacity() + sizes_.capacity() + far_table_.capacity()) +
         2 * near_table_.capacity();
}

}  // namespace headrace::measure
