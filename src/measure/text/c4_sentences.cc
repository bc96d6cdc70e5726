// SPDX-License-Identifier: Apache-2.0
// C4 sentences: how many sentences stand in the lines that C4's line rule keeps.
//
// The rule is that of c4_line_share; sentences are those of TextView, each line taken as a text of
// its own. Grows with the text.
//
// Source: C4 (arXiv 1910.10683), which drops pages with fewer than 5. It counts with nltk, which
// knows abbreviations (Mr. is no end) and no Chinese marks: values differ by a few on English, and
// everything on Chinese. On prose: English web pages (672) median 14, the middle 90 % 0 to 77; main
// text of Chinese pages (69) 38, 5 to 245.
//
// Never null. Cost: in facts/lines.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_c4_sentences(Registry& registry) {
  registry.add({.name = "c4_sentences",
                .unit = "sentences",
                .summary = "sentences in the lines that the line rule of C4 keeps; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return text.lines.c4_sentences;
                }});
}

}  // namespace headrace::measure
