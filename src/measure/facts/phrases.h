// SPDX-License-Identifier: Apache-2.0
// Fixed phrases and flagged words in a text, all found by one matcher.
#pragma once

#include <cstdint>
#include <memory>

#include "measure/words/word_list.h"
#include "record/text_view.h"

namespace headrace::measure {

struct PhraseFacts {
  std::uint32_t lorem_ipsum = 0;
  std::uint32_t javascript = 0;
  std::uint32_t policy = 0;
  std::uint32_t flagged = 0;        // flagged words and phrases
  std::uint32_t flagged_words = 0;  // words inside them, each once
};

// All phrases of a run, ready to be looked for. Immutable, so thread-safe.
class PhraseTable {
 public:
  explicit PhraseTable(const WordLists& lists);
  ~PhraseTable();

  PhraseFacts count(const TextView& view) const;

  struct Tables;

 private:
  std::unique_ptr<const Tables> tables_;
};

}  // namespace headrace::measure
