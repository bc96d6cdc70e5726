// SPDX-License-Identifier: Apache-2.0
// Words: runs of letters and digits, and each Han character for itself (record/text_view.h).
//
// Chinese has no blanks: counted by them, a page is one word and every bound on words misfires. One
// Han character, one word needs no segmenter and gives the same number on every machine; a
// segmented count would be lower by a factor of about 1.6, so bounds made for one do not carry over
// to the other. An apostrophe separates: "don't" is two words.
// Never null: a text without words has 0. Cost: none, the view has counted them.
#include "measure/measure.h"

namespace headrace::measure {

void register_words(Registry& registry) {
  registry.add({.name = "words",
                .unit = "words",
                .summary = "runs of letters and digits, each Han character for itself; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return static_cast<double>(text.view.counts.words);
                }});
}

}  // namespace headrace::measure
