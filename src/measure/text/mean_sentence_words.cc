// SPDX-License-Identifier: Apache-2.0
// Mean sentence words: words per sentence, both as TextView counts them.
//
// A Han character is a word, so a Chinese sentence has two to three times the words of its English
// translation. Every word belongs to a sentence: text behind the last end mark is one. On prose:
// English web pages (672) median 19.4, the middle 90 % 10.6 to 36; main text of Chinese pages (69)
// 42, 22 to 67.
//
// Null without sentences. Cost: none, the view has counted both.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_mean_sentence_words(Registry& registry) {
  registry.add({.name = "mean_sentence_words",
                .unit = "words per sentence",
                .summary = "mean number of words of the sentences; null without sentences",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.view.counts.words, text.view.counts.sentences);
                }});
}

}  // namespace headrace::measure
