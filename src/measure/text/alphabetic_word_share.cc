// SPDX-License-Identifier: Apache-2.0
// Alphabetic word share: words with at least one letter, per word. Han characters are letters.
//
// Source: Gopher (arXiv 2112.11446), at least 0.8; FineWeb-2 takes 0.735 in Chinese. A minimum:
// rules of other tools by the name of a maximum of non-alphabetic words do the opposite of what
// they say. Words of digits only do not count, and marks are in no word here, where datatrove's
// are words without a letter: values are higher here, and a bound of 0.8 drops less.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_alphabetic_word_share(Registry& registry) {
  registry.add(
      {.name = "alphabetic_word_share",
       .unit = "share",
       .summary = "share of words that hold a letter, Han characters included; null without words",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.words.alphabetic, text.view.counts.words);
       }});
}

}  // namespace headrace::measure
