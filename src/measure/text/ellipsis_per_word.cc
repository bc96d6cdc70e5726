// SPDX-License-Identifier: Apache-2.0
// Ellipses per word: "..." and "…" of the text, per word.
//
// Source: Gopher (arXiv 2112.11446), at most 0.1: teasers that break off, lists of links. Three
// dots in a row are one and do not overlap ("...." is one, "......" two); "…" is U+2026, so a
// Chinese ellipsis, which is written with two of them, counts twice: as datatrove counts.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_ellipsis_per_word(Registry& registry) {
  registry.add({.name = "ellipsis_per_word",
                .unit = "ellipses per word",
                .summary = "'...' and '…' per word; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.words.ellipses, text.view.counts.words);
                }});
}

}  // namespace headrace::measure
