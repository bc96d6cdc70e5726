// SPDX-License-Identifier: Apache-2.0
// Flagged words: how many a text has.
//
// A flagged word is an entry of the lists for flagged words: built in are short ones, of our own,
// for pornography, gambling and mass advertising in English and Chinese (words/flagged_en.cc,
// flagged_zh.cc); a recipe may bring its own (measure: {flagged_words: {zh: path}}). An entry
// matches whole words, its words one behind the other, ASCII case folded, a blank in it any white
// space; Han text has no blanks and each character is a word, so there it matches wherever its
// characters stand together, except inside the exceptions of its list. From left to right, the
// longest first, no two overlap. All lists are looked for in every text: a Chinese page advertises
// in English too.
//
// Grows with length: a bound belongs on flagged_word_share or in length buckets. Never null. Cost:
// in facts/phrases.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_flagged_words(Registry& registry) {
  registry.add(
      {.name = "flagged_words",
       .unit = "flagged words",
       .summary = "number of flagged words and phrases; never null",
       .of = [](const TextFacts& text) -> std::optional<double> { return text.phrases.flagged; }});
}

}  // namespace headrace::measure
