// SPDX-License-Identifier: Apache-2.0
// Where the flagged words of a text stand, for people; measures only count them (facts/phrases.h).
#pragma once

#include <memory>
#include <vector>

#include "measure/facts/phrases.h"
#include "measure/words/word_list.h"
#include "record/text_view.h"

namespace headrace::measure {

// Immutable, so thread-safe.
class FlaggedFinder {
 public:
  explicit FlaggedFinder(const WordLists& lists);
  ~FlaggedFinder();

  // Those that PhraseTable::count() counts, in text order.
  std::vector<TextRange> find(const TextView& view) const;

 private:
  std::unique_ptr<const PhraseTable::Tables> tables_;
};

}  // namespace headrace::measure
