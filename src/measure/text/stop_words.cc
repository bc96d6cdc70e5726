// SPDX-License-Identifier: Apache-2.0
// Stop words: how many different stop words of one language occur in the text.
//
// Source: Gopher (arXiv 2112.11446), at least 2 of 8 English ones: lists of keywords and tables
// have none. Here the lists of measure/words/, several languages; counted are those of the list
// that most words of the text stand in (the first such list of equals), so that no language has
// to be known and English is not credited with the German "die". ASCII case is folded; a
// distinct word counts once. In Chinese each character is a word, so only stop words of one
// character (的 了 是 在 ...) can occur: those of more stand in their characters. The lists are
// longer than Gopher's, so is the value; a minimum of 2 is no stricter.
//
// Never null: a text without words has 0. Cost: in facts/words.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_stop_words(Registry& registry) {
  registry.add({.name = "stop_words",
                .unit = "words",
                .summary = "different stop words that occur; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return static_cast<double>(text.words.stop_words);
                }});
}

}  // namespace headrace::measure
