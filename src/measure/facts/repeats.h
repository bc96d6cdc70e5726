// SPDX-License-Identifier: Apache-2.0
// Which hashes of a sequence occurred before: n-grams of anything that repeat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headrace::measure {

// Keeps its memory until release(). One per thread.
class RepeatFinder {
 public:
  // Entries behind the last hash that find() may read.
  static constexpr std::size_t kSlack = 64;

  // Looks at hashes[0] to hashes[count - 1]. The results are valid until the next call.
  void find(const std::uint64_t* hashes, std::uint32_t count);

  // Bit i: hash i equals an earlier one. Bits behind the last hash are 0; there is at least one.
  std::span<const std::uint64_t> repeats() const { return repeats_; }
  // How many do.
  std::uint32_t repeated() const { return repeated_; }
  // For each that does, in no order, where its hash occurred first.
  std::span<const std::uint32_t> firsts() const { return {firsts_.data(), repeated_}; }

  // For each different hash that occurs more than once, in no order, how often it occurs. Works it
  // out at each call; valid until the next call of anything.
  std::span<const std::uint32_t> group_sizes();

  std::size_t bytes() const;
  void release() { *this = RepeatFinder(); }

 private:
  template <class Slot, bool kTopBits, class Index>
  void mark(const std::uint64_t* hashes, std::uint32_t count, std::vector<Slot>* table,
            Index index);
  void find_in_parts(const std::uint64_t* hashes, std::uint32_t count);
  template <class AnyTable, class Index>
  std::uint32_t settle(const std::uint64_t* hashes, std::uint32_t taken, const AnyTable& table,
                       Index index);

  std::vector<std::uint64_t> repeats_;
  std::vector<std::uint32_t> firsts_;  // of each repeat, where its hash occurred first
  std::vector<std::uint32_t> rest_;    // hashes for the next round
  std::vector<std::uint32_t> sizes_;
  std::vector<std::uint64_t> part_hashes_;  // of long sequences, part by part
  std::vector<std::uint32_t> part_index_;   // where each of them stands
  std::vector<std::uint16_t> near_table_;
  std::vector<std::uint32_t> far_table_;
  std::uint32_t repeated_ = 0;
};

}  // namespace headrace::measure
