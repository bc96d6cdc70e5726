// SPDX-License-Identifier: Apache-2.0
// Newlines per word: '\n' bytes, blank lines included, per word of TextView.
//
// Source: FineWeb (arXiv 2406.17557), list ratio, which drops above 0.3 (FineWeb-2 for Chinese:
// 0.178). The same count of newlines as datatrove's; the words are others: punctuation marks are
// words of its tokenizers, and a Chinese word has one to three of our Han characters. At 1.6
// characters a word, a bound of 0.178 is 0.11 here. On prose: English web pages (672) median 0.04,
// the middle 90 % 0.01 to 0.13; main text of Chinese pages (69) 0.02, 0.004 to 0.07.
//
// Null without words. Cost: none, the view has counted both.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_newlines_per_word(Registry& registry) {
  registry.add({.name = "newlines_per_word",
                .unit = "newlines per word",
                .summary = "newlines, blank lines included, per word; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.view.counts.newlines, text.view.counts.words);
                }});
}

}  // namespace headrace::measure
