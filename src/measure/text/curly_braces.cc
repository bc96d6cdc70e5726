// SPDX-License-Identifier: Apache-2.0
// Curly braces: how many { and } a text has.
//
// Source: C4 (arXiv 1910.10683) drops pages with a {, because code has them and prose does not.
// Full-width braces are not code and do not count. Never null. Cost: in facts/characters.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_curly_braces(Registry& registry) {
  registry.add({.name = "curly_braces",
                .unit = "characters",
                .summary = "number of { and }; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return text.characters.curly_braces;
                }});
}

}  // namespace headrace::measure
