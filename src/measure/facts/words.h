// SPDX-License-Identifier: Apache-2.0
// Words of a text (record/text_view.h), counted once for all measures of words.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "measure/facts/stop_words.h"
#include "record/text_view.h"

namespace headrace::measure {

// Equal words are those of equal TextView::word_hash: ASCII letters are folded, no others.
struct WordFacts {
  std::uint32_t alphabetic = 0;  // with a letter; Han characters are letters
  std::uint32_t distinct = 0;
  std::uint32_t max_length = 0;           // code points
  std::uint64_t twice_median_length = 0;  // sum of the two middle lengths, so that it is whole
  double entropy = 0;                     // of the distribution over distinct words, in bits
  std::uint32_t stop_words = 0;           // distinct stop words that occur
  std::uint32_t stop_word_tokens = 0;     // words that are stop words
  std::uint32_t hash_signs = 0;           // '#'
  std::uint32_t ellipses = 0;             // "...", not overlapping, and "…"
};

// Keeps its tables for the next text, above 16 MiB only for one that needs as much. One per thread.
class WordCounter {
 public:
  WordCounter();
  ~WordCounter();

  WordFacts count(const TextView& view,
                  const StopWordTable& stop_words = StopWordTable::built_in());

  // Of the text last counted: bit i % 64 of entry i / 64 says whether word i occurs more than once.
  // Bits behind the last word are 0. Valid until the next call of count().
  std::span<const std::uint64_t> repeated() const;

  struct Scratch;

 private:
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace headrace::measure
