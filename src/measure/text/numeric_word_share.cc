// SPDX-License-Identifier: Apache-2.0
// Numeric word share: words of nothing but digits, per word.
//
// Tables, price lists and logs. Digits are those of category Nd in any script; "3.14" is two
// words, "3rd" is none of them. A word has letters or digits, so this is one minus
// alphabetic_word_share, under the name by which a bound from above reads right.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_numeric_word_share(Registry& registry) {
  registry.add({.name = "numeric_word_share",
                .unit = "share",
                .summary = "share of words that are digits only; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.view.counts.words - text.words.alphabetic,
                               text.view.counts.words);
                }});
}

}  // namespace headrace::measure
