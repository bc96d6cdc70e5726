// SPDX-License-Identifier: Apache-2.0
// Flagged word share: words inside flagged words and phrases per word; a Han character is a word.
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
// 95 % of English web pages and of Chinese encyclopaedia have 0. Null without words. Cost: in
// facts/phrases.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_flagged_word_share(Registry& registry) {
  registry.add({.name = "flagged_word_share",
                .unit = "share",
                .summary = "share of words inside flagged words and phrases; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.phrases.flagged_words, text.view.counts.words);
                }});
}

}  // namespace headrace::measure
