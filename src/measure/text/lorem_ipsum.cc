// SPDX-License-Identifier: Apache-2.0
// Lorem ipsum: how often the filler text of page templates begins. The two words one behind the
// other, in any case, whatever white space between.
//
// Source: C4 (arXiv 1910.10683) drops such pages. Texts about typography have it too: once or
// twice. Never null. Cost: in facts/phrases.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_lorem_ipsum(Registry& registry) {
  registry.add({.name = "lorem_ipsum",
                .unit = "phrases",
                .summary = "number of \"lorem ipsum\"; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return text.phrases.lorem_ipsum;
                }});
}

}  // namespace headrace::measure
