// SPDX-License-Identifier: Apache-2.0
// Duplicate word 5-gram share: code points of words in 5-grams of words that occurred before,
// per code point of the text.
//
// Source: Gopher (arXiv 2112.11446), at most 0.15; FineWeb-2 takes 0.198 in Chinese. Computed as
// datatrove does, by a walk from the start: an n-gram that was met before counts with all its
// words, and the walk goes on behind it, so that nothing counts twice; the n-grams inside it are
// not remembered. Other tools count every covered word (DCLM) or every n-gram (Dolma): the same
// bounds, other values. Unlike datatrove, n-grams are sequences of words, so "1 11" and "11 1"
// differ, and words are those of the column words: marks and spaces are in the denominator only.
//
// It grows with length. Null below 5 words. Above 16,384 words the text is measured in pieces of as
// many, and the value is the share over all. Cost: in facts/word_ngrams.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_dup_word_5gram_share(Registry& registry) {
  registry.add({.name = "dup_word_5gram_share",
                .unit = "share",
                .summary = "share of code points in sequences of 5 words that occurred before, by "
                           "a walk without overlaps; null below 5 words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.counts.words < 5) return std::nullopt;
                  return share(text.word_ngrams.duplicate[5], text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
