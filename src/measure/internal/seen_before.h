// SPDX-License-Identifier: Apache-2.0
// A set of hashes that says whether one has come before. Open addressing in a table of at least
// twice the entries; 0 marks an empty one.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace headrace::measure {

// Keeps up to 8 MiB for the next text.
class SeenBefore {
 public:
  // Forgets everything. At most `hashes` calls of add() may follow.
  void start(std::size_t hashes) {
    const std::size_t entries = std::bit_ceil(2 * hashes + 2);
    if (entries < table_.capacity() && table_.capacity() > kKeepEntries) {
      std::vector<std::uint64_t>().swap(table_);
    }
    table_.assign(entries, 0);
  }

  // Adds the hash; returns whether it was there.
  bool add(std::uint64_t hash) {
    hash |= 1;
    const std::size_t last = table_.size() - 1;
    std::size_t at = (hash >> 1) & last;
    while (table_[at] != 0 && table_[at] != hash) at = (at + 1) & last;
    const bool found = table_[at] == hash;
    table_[at] = hash;
    return found;
  }

 private:
  static constexpr std::size_t kKeepEntries = std::size_t{1} << 20;
  std::vector<std::uint64_t> table_;
};

}  // namespace headrace::measure
