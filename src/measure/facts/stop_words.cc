// SPDX-License-Identifier: Apache-2.0
// Open addressing, mostly empty: nearly all words of a text ask for what is not there.
#include "measure/facts/stop_words.h"

#include <algorithm>
#include <bit>
#include <map>

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
  entries_.resize(std::bit_ceil(std::max<std::size_t>(4, 4 * languages_of_hash.size())));
  for (const auto& [hash, languages] : languages_of_hash) {
    std::size_t at = slot(hash);
    while (entries_[at].begin != entries_[at].end) at = (at + 1) & (entries_.size() - 1);
    const auto begin = static_cast<std::uint32_t>(of_.size());
    of_.insert(of_.end(), languages.begin(), languages.end());
    entries_[at] = {hash, begin, static_cast<std::uint32_t>(of_.size())};
  }
}

const StopWordTable& StopWordTable::built_in() {
  static const StopWordTable table(WordLists::built_in().stop_words);
  return table;
}

}  // namespace headrace::measure
