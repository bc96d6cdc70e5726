// SPDX-License-Identifier: Apache-2.0
// Word entropy: bits per word of the distribution of words in the text, ASCII case folded.
//
// Minus the sum of p log2 p over distinct words, p being a word's share of all words. 0 when one
// word is all there is, log2 of their number when no word comes twice: so it grows with length, and
// bounds belong in length buckets. Low values for the length are templates and spam, however they
// are shuffled; order plays no part.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_word_entropy(Registry& registry) {
  registry.add({.name = "word_entropy",
                .unit = "bits",
                .summary = "entropy of the distribution of words; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.counts.words == 0) return std::nullopt;
                  return text.words.entropy;
                }});
}

}  // namespace headrace::measure
