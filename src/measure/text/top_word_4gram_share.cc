// SPDX-License-Identifier: Apache-2.0
// Top word 4-gram share: length of the 4-gram of words that occurs most often, times its count,
// per code point of the text.
//
// Source: Gopher (arXiv 2112.11446), at most 0.16; FineWeb-2 takes 0.171 in Chinese. What counts
// is said in top_word_2gram_share.cc.
//
// Null below 4 words. Above 16,384 words the text is measured in pieces of as many, and the value
// is the share over all. Cost: in facts/word_ngrams.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_top_word_4gram_share(Registry& registry) {
  registry.add({.name = "top_word_4gram_share",
                .unit = "share",
                .summary = "share of the text that the most frequent sequence of 4 words makes up; "
                           "null below 4 words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.counts.words < 4) return std::nullopt;
                  return share(text.word_ngrams.top[4], text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
