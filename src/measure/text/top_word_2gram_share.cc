// SPDX-License-Identifier: Apache-2.0
// Top word 2-gram share: length of the 2-gram of words that occurs most often, times its count,
// per code point of the text.
//
// Source: Gopher (arXiv 2112.11446), at most 0.20; FineWeb-2 takes 0.256 in Chinese. Computed as
// datatrove does: the length is in code points, of the words joined by one space; the first to
// occur wins among equals; occurrences that overlap count; and an 2-gram that occurs once counts
// too, so short texts score high. Other than there, words are those of the column words (marks
// are no words, ASCII case is folded, a Han character is a word) and an n-gram is a sequence of
// words. Where words stand without blanks between them, as in Chinese, the spaces are counted
// all the same: the value can pass 1 on text that is one word again and again.
//
// Null below 2 words. Above 16,384 words the text is measured in pieces of as many, and the value
// is the share over all. Cost: in facts/word_ngrams.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_top_word_2gram_share(Registry& registry) {
  registry.add({.name = "top_word_2gram_share",
                .unit = "share",
                .summary = "share of the text that the most frequent sequence of 2 words makes up; "
                           "null below 2 words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.counts.words < 2) return std::nullopt;
                  return share(text.word_ngrams.top[2], text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
