// SPDX-License-Identifier: Apache-2.0
#include "measure/facts/repeats.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace headrace::measure {

RepeatFinder::Table RepeatFinder::empty_table(std::size_t elements) {
  const std::size_t slots = std::bit_ceil(std::max<std::size_t>(64, kSlotsPerElement * elements));
  if (table_.size() < slots) table_.resize(slots);
  std::memset(table_.data(), 0xFF, slots * sizeof(Slot));
  return {table_.data(), std::countr_zero(slots)};
}

std::span<const std::uint32_t> RepeatFinder::group_sizes() {
  // Between searches `rest_` is free: a counter for each element.
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
  return 8 * repeats_.capacity() + 4 * (firsts_.capacity() + rest_.capacity() + sizes_.capacity()) +
         2 * table_.capacity();
}

}  // namespace headrace::measure
