// SPDX-License-Identifier: Apache-2.0
// Stop words of several languages, by the hash that a TextView has of each word.
#pragma once

#include <cstdint>
#include <map>
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

  // Languages are places in the lists that the table was made of. Words that stand in the lists of
  // the same languages have one group; group 0 is that of all other words.
  std::size_t languages() const { return languages_; }
  std::size_t groups() const { return groups_.size(); }
  const std::vector<std::uint16_t>& languages_of(std::size_t group) const { return groups_[group]; }

  std::uint32_t group_of(std::uint64_t word_hash) const {
    const std::size_t at = slot(word_hash, steps_[word_hash % kBuckets]);
    // No branch: whether a word is a stop word is a toss of a coin.
    std::uint32_t known = hashes_[at] == word_hash ? ~std::uint32_t{0} : 0;
    asm("" : "+r"(known));
    return group_[at] & known;
  }

 private:
  static constexpr std::size_t kBuckets = 1024;

  std::size_t slot(std::uint64_t hash, std::uint32_t step) const {
    return ((hash >> 20) + step) & (hashes_.size() - 1);
  }
  bool place(const std::vector<std::uint64_t>& bucket, std::uint32_t step);
  void build(const std::map<std::uint64_t, std::uint16_t>& group_of_hash, std::size_t slots);

  std::size_t languages_;
  std::vector<std::vector<std::uint16_t>> groups_;
  std::vector<std::uint16_t> steps_;
  std::vector<std::uint64_t> hashes_;  // 0 where there is none
  std::vector<std::uint16_t> group_;
};

}  // namespace headrace::measure
