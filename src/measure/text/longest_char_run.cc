// SPDX-License-Identifier: Apache-2.0
// Longest character run: how often one code point stands in a row, at most. Case is not folded; a
// letter and its combining mark are two code points.
//
// Prose has 2 to 4, code 12 (its indentation), separators 40 and more. Never null: 0 for an empty
// text. Cost: in facts/characters.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_longest_char_run(Registry& registry) {
  registry.add({.name = "longest_char_run",
                .unit = "code points",
                .summary = "length of the longest run of one code point; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return text.characters.longest_run;
                }});
}

}  // namespace headrace::measure
