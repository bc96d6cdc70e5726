// SPDX-License-Identifier: Apache-2.0
// Distinct word share: different words per word (type-token ratio), ASCII case folded.
//
// Low in text that says the same again, high in lists of keywords and in short texts: it falls
// with length by nature, so bounds belong in length buckets. In Chinese a word is a character, of
// which a few thousand are in use: lower values.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_distinct_word_share(Registry& registry) {
  registry.add(
      {.name = "distinct_word_share",
       .unit = "share",
       .summary = "share of words that are the first of their kind in the text; null without words",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.words.distinct, text.view.counts.words);
       }});
}

}  // namespace headrace::measure
