// SPDX-License-Identifier: Apache-2.0
// Which elements of a sequence equal an earlier one: words, or n-grams of anything.
//
// One probe each into a table that holds in each slot the element that came there *first*. Who
// finds its slot taken is compared with the owner: the same, a repeat; another, and it goes to the
// next round, with all its copies, because a slot never changes hands. Each round has about an
// eighth of the last. Exact. Cost: about 1 ns an element, most of it the probe.
//
// Tried: comparing inside the probing loop (a load that waits for a load: 20 % slower); the hash
// itself in the slot, four times the table (a third slower than that); a table of small counters
// first, as for n-grams of words, then the candidates only (two passes over all: 30 % slower); half
// and a quarter of the slots, to stay in the nearest cache (more elements for the next round: 3 and
// 15 % slower).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace headrace::measure {

// Keeps its memory, 2 MiB at most. One per thread.
class RepeatFinder {
 public:
  static constexpr std::uint32_t kMostElements = 0xFFFE;

  // Looks at elements 0 to count - 1, kMostElements at most. `Keys` gives their hash(i), of which
  // the top bits are used, and the slots of up to 64 from `base` on, slots(base, bits, count, out),
  // each `bits` wide, and says whether two are the same(i, j). The results are valid until the next
  // call.
  template <class Keys>
  void find(const Keys& keys, std::uint32_t count);

  // Bit i: element i equals an earlier one. Bits behind the last are 0; there is at least one.
  std::span<const std::uint64_t> repeats() const { return repeats_; }
  // How many do.
  std::uint32_t repeated() const { return repeated_; }
  // For each that does, in no order, the first that it equals.
  std::span<const std::uint32_t> firsts() const { return {firsts_.data(), repeated_}; }

  // For each different element that occurs more than once, in no order, how often it occurs. Works
  // it out at each call; valid until the next call of anything.
  std::span<const std::uint32_t> group_sizes();

  std::size_t bytes() const;

 private:
  static constexpr std::size_t kSlotsPerElement = 4;
  static constexpr std::uint64_t kNextSlots = 0x9E3779B97F4A7C15;

  using Slot = std::uint16_t;
  struct Table {
    Slot* slots;
    int bits;
  };
  Table empty_table(std::size_t elements);
  template <class Keys>
  void find_rest(const Keys& keys, std::uint32_t left);

  std::vector<std::uint64_t> repeats_;
  std::vector<std::uint32_t> firsts_;
  std::vector<std::uint32_t> rest_;  // elements for the next round
  std::vector<std::uint32_t> sizes_;
  std::vector<Slot> table_;
  std::uint32_t repeated_ = 0;
};

// Elements that are their hashes.
struct HashedElements {
  const std::uint64_t* hashes;

  std::uint64_t hash(std::uint32_t i) const { return hashes[i]; }
  void slots(std::uint32_t base, int bits, std::uint32_t count, std::uint32_t* slots) const {
    for (std::uint32_t i = 0; i < count; ++i)
      slots[i] = static_cast<std::uint32_t>(hashes[base + i] >> (64 - bits));
  }
  bool same(std::uint32_t i, std::uint32_t j) const { return hashes[i] == hashes[j]; }
};

namespace internal {

// Slots hold the element that came first, and the largest number where none did. A later one has a
// larger number than any before it, so to put the minimum into a slot takes it if it is empty and
// leaves it otherwise: no branch, which nothing could predict. Shifts into *taken whether it was.
inline void arrive(std::uint32_t at, std::uint32_t* first, std::uint64_t* taken) {
#if defined(__x86_64__)
  // From C++ the compiler makes a branch, or twice the instructions.
  asm("cmp %2, %0\n\tcmovae %2, %0\n\tadc %1, %1" : "+r"(*first), "+r"(*taken) : "r"(at) : "cc");
#else
  *taken += *taken + (*first < at ? 1 : 0);
  *first = std::min(*first, at);
#endif
}

inline std::uint64_t reversed(std::uint64_t bits) {
  const auto swap = [&bits](int by, std::uint64_t low) {
    bits = (bits >> by & low) | (bits & low) << by;
  };
  swap(1, 0x5555555555555555);
  swap(2, 0x3333333333333333);
  swap(4, 0x0F0F0F0F0F0F0F0F);
  return __builtin_bswap64(bits);
}

}  // namespace internal

template <class Keys>
void RepeatFinder::find(const Keys& keys, std::uint32_t count) {
  if (rest_.size() < count + std::size_t{1}) {
    firsts_.resize(count + std::size_t{1});
    rest_.resize(count + std::size_t{1});
  }
  repeats_.resize(count / 64 + 1);
  repeats_.back() = 0;
  repeated_ = 0;
  // 64 elements arrive, then those that found another are compared with it.
  const Keys k = keys;
  const Table table = empty_table(count);
  std::uint32_t* firsts = firsts_.data();
  std::uint32_t* rest = rest_.data();
  std::uint32_t slot_of[64];
  for (std::uint32_t base = 0; base < count; base += 64) {
    const std::uint32_t end = std::min(count - base, 64u);
    k.slots(base, table.bits, end, slot_of);
    std::uint64_t taken = 0;  // the first of them ends at the top
#pragma GCC unroll 8
    for (std::uint32_t i = 0; i < end; ++i) {
      std::uint32_t first = table.slots[slot_of[i]];
      internal::arrive(base + i, &first, &taken);
      table.slots[slot_of[i]] = static_cast<Slot>(first);
    }
    std::uint64_t repeats = 0;
    for (taken = internal::reversed(taken << (64 - end)); taken != 0; taken &= taken - 1) {
      const int i = std::countr_zero(taken);
      const std::uint32_t at = base + static_cast<std::uint32_t>(i);
      const std::uint32_t owner = table.slots[slot_of[i]];
      std::uint64_t same = k.same(owner, at) ? ~std::uint64_t{0} : 0;
      asm("" : "+r"(same));
      repeats |= taken & (0 - taken) & same;
      *firsts = owner;
      firsts -= static_cast<std::int64_t>(same);
      *rest = at;
      rest += static_cast<std::int64_t>(same) + 1;
    }
    repeats_[base / 64] = repeats;
  }
  repeated_ = static_cast<std::uint32_t>(firsts - firsts_.data());
  find_rest(k, static_cast<std::uint32_t>(rest - rest_.data()));
}

// Round by round, those that found another in their slot. Each round settles at least those that
// equal its first.
template <class Keys>
void RepeatFinder::find_rest(const Keys& keys, std::uint32_t left) {
  std::uint32_t* const rest = rest_.data();
  for (std::uint64_t multiplier = kNextSlots; left > 0; multiplier *= kNextSlots) {
    const Table table = empty_table(left);
    const auto slot = [&](std::uint32_t at) {
      return table.slots + (keys.hash(at) * multiplier >> (64 - table.bits));
    };
    std::uint32_t taken = 0;
    for (std::uint32_t i = 0; i < left; ++i) {
      const std::uint32_t at = rest[i];
      Slot* const place = slot(at);
      rest[taken] = at;
      taken += *place < at ? 1 : 0;
      *place = static_cast<Slot>(std::min<std::uint32_t>(*place, at));
    }
    left = 0;
    for (std::uint32_t i = 0; i < taken; ++i) {
      const std::uint32_t at = rest[i];
      const std::uint32_t owner = *slot(at);
      const std::uint32_t same = keys.same(owner, at) ? 1 : 0;
      repeats_[at / 64] |= std::uint64_t{same} << (at % 64);
      firsts_[repeated_] = owner;
      repeated_ += same;
      rest[left] = at;
      left += 1 - same;
    }
  }
}

}  // namespace headrace::measure
