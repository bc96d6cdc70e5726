// SPDX-License-Identifier: Apache-2.0
// Duplicate word 7-gram share: code points of words in 7-grams of words that occurred before,
// per code point of the text.
//
// Source: Gopher (arXiv 2112.11446), at most 0.13; FineWeb-2 takes 0.167 in Chinese. What counts
// is said in dup_word_5gram_share.cc.
//
// Null below 7 words. Above 16,384 words the text is measured in pieces of as many, and the value
// is the share over all. Cost: in facts/word_ngrams.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_dup_word_7gram_share(Registry& registry) {
  registry.add({.name = "dup_word_7gram_share",
                .unit = "share",
                .summary = "share of code points in sequences of 7 words that occurred before, by "
                           "a walk without overlaps; null below 7 words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.counts.words < 7) return std::nullopt;
                  return share(text.word_ngrams.duplicate[7], text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
