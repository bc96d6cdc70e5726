// SPDX-License-Identifier: Apache-2.0
// Hash signs per word: '#' of the text, anywhere, per word.
//
// Source: Gopher (arXiv 2112.11446), at most 0.1: tags and mark-up. The full-width ＃ does not
// count. A heading of Markdown counts each of its signs. Words are those of the column words, of
// which Chinese has more than a segmenter finds: lower values there.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_hash_per_word(Registry& registry) {
  registry.add({.name = "hash_per_word",
                .unit = "signs per word",
                .summary = "'#' per word; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.words.hash_signs, text.view.counts.words);
                }});
}

}  // namespace headrace::measure
