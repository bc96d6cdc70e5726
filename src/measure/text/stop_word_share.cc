// SPDX-License-Identifier: Apache-2.0
// Stop word share: words that are stop words of one language, per word.
//
// Source: ROOTS and Data-Juicer. A minimum: prose has many, lists and keyword spam have few; users
// of other tools expect the opposite side and ask. The language is that of the list of
// measure/words/ in which the most words of the text stand: no language has to be known. See
// stop_words for what counts; in Chinese only stop words of one character do, so bounds made for a
// segmenter (0.3 of Data-Juicer) do not carry over.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_stop_word_share(Registry& registry) {
  registry.add(
      {.name = "stop_word_share",
       .unit = "share",
       .summary =
           "share of words that are stop words of the best-fitting language; null without words",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.words.stop_word_tokens, text.view.counts.words);
       }});
}

}  // namespace headrace::measure
