// SPDX-License-Identifier: Apache-2.0
// Stop words of several languages, by the hash that a TextView has of each word.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "measure/words/word_list.h"

namespace headrace::measure {

// Immutable, so thread-safe. Of the lists it takes what is one word of TextView, which in Han text
// is one character: longer entries ("我们", "as well") never match and are left out.
class StopWordTable {
 public:
  explicit StopWordTable(const std::vector<WordList>& lists);
  // Of the lists that are built in.
  static const StopWordTable& built_in();

  std::size_t languages() const { return languages_; }

  // The languages (places in the lists that it was made of) whose stop word has this hash.
  std::span<const std::uint16_t> languages_of(std::uint64_t word_hash) const {
    std::size_t at = slot(word_hash);
    while (entries_[at].begin != entries_[at].end) {
      const Entry& entry = entries_[at];
      if (entry.hash == word_hash) return {of_.data() + entry.begin, of_.data() + entry.end};
      at = (at + 1) & (entries_.size() - 1);
    }
    return {};
  }

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::uint32_t begin = 0;  // in of_; nothing: no entry
    std::uint32_t end = 0;
  };

  std::size_t slot(std::uint64_t hash) const { return (hash >> 20) & (entries_.size() - 1); }

  std::size_t languages_;
  std::vector<Entry> entries_;  // a power of two of them, a quarter of them used at most
  std::vector<std::uint16_t> of_;
};

}  // namespace headrace::measure
