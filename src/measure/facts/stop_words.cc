// SPDX-License-Identifier: Apache-2.0
// A perfect hash by displacement: words that share a bucket are moved together, by a step of the
// bucket, to where all of them find a free place. So a look-up is one comparison and no branch;
// whether a word is a stop word is a toss of a coin.
#include "measure/facts/stop_words.h"

#include <algorithm>
#include <bit>

#include "record/text_view.h"

namespace headrace::measure {

StopWordTable::StopWordTable(const std::vector<WordList>& lists) : languages_(lists.size()) {
  std::map<std::uint64_t, std::vector<std::uint16_t>> languages_of_hash;
  TextViewBuilder builder;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (const std::string& word : lists[i].entries) {
      const TextView& view = builder.build(word);
      if (view.counts.words != 1) continue;
      std::vector<std::uint16_t>& languages = languages_of_hash[view.word_hash[0]];
      const auto language = static_cast<std::uint16_t>(i);
      if (languages.empty() || languages.back() != language) languages.push_back(language);
    }
  }
  groups_.resize(1);
  std::map<std::vector<std::uint16_t>, std::uint16_t> group_of_languages;
  std::map<std::uint64_t, std::uint16_t> group_of_hash;
  for (const auto& [hash, languages] : languages_of_hash) {
    const auto next = static_cast<std::uint16_t>(groups_.size());
    const auto [at, is_new] = group_of_languages.emplace(languages, next);
    if (is_new) groups_.push_back(languages);
    group_of_hash[hash] = at->second;
  }
  build(group_of_hash, std::bit_ceil(std::max<std::size_t>(64, 2 * group_of_hash.size())));
}

bool StopWordTable::place(const std::vector<std::uint64_t>& bucket, std::uint32_t step) {
  for (std::size_t i = 0; i < bucket.size(); ++i) {
    if (hashes_[slot(bucket[i], step)] == 0) {
      hashes_[slot(bucket[i], step)] = bucket[i];
      continue;
    }
    for (std::size_t k = 0; k < i; ++k) hashes_[slot(bucket[k], step)] = 0;
    return false;
  }
  return true;
}

void StopWordTable::build(const std::map<std::uint64_t, std::uint16_t>& group_of_hash,
                          std::size_t slots) {
  std::vector<std::vector<std::uint64_t>> buckets(kBuckets);
  for (const auto& [hash, group] : group_of_hash) buckets[hash % kBuckets].push_back(hash);
  std::vector<std::size_t> largest_first(kBuckets);
  for (std::size_t i = 0; i < kBuckets; ++i) largest_first[i] = i;
  std::stable_sort(largest_first.begin(), largest_first.end(), [&](std::size_t a, std::size_t b) {
    return buckets[a].size() > buckets[b].size();
  });
  steps_.assign(kBuckets, 0);
  hashes_.assign(slots, 0);
  group_.assign(slots, 0);
  for (const std::size_t i : largest_first) {
    const std::size_t steps = std::min<std::size_t>(slots, 65536);
    std::size_t step = 0;
    while (step < steps && !place(buckets[i], static_cast<std::uint32_t>(step))) ++step;
    if (step == steps) return build(group_of_hash, 2 * slots);  // never seen with half the places
    steps_[i] = static_cast<std::uint16_t>(step);
  }
  for (const auto& [hash, group] : group_of_hash) {
    group_[slot(hash, steps_[hash % kBuckets])] = group;
  }
}

const StopWordTable& StopWordTable::built_in() {
  static const StopWordTable table(WordLists::built_in().stop_words);
  return table;
}

}  // namespace headrace::measure
