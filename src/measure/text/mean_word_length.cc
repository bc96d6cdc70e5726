// SPDX-License-Identifier: Apache-2.0
// Mean word length: code points per word.
//
// Source: Gopher (arXiv 2112.11446), bounds 3 and 10. Words are those of the column words: no
// punctuation inside ("don't" is two words of 3 and 1), and each Han character is a word of 1,
// so the value of Chinese prose lies near 1 and that of mixed text tells how mixed it is. Bounds
// made for a segmenter (FineWeb-2 takes 1 to 5 in Chinese) or for words cut at white space do
// not carry over. datatrove leaves out words of nothing but
// punctuation; here there are none.
//
// Null for a text without words. Cost: none, the view has counted both.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_mean_word_length(Registry& registry) {
  registry.add({.name = "mean_word_length",
                .unit = "code points per word",
                .summary = "mean length of words; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.view.counts.word_code_points, text.view.counts.words);
                }});
}

}  // namespace headrace::measure
