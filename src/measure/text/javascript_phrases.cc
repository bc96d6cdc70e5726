// SPDX-License-Identifier: Apache-2.0
// JavaScript phrases: how often the word "javascript" stands in a text, in any case.
//
// Source: C4 (arXiv 1910.10683) drops lines with it, because nearly all of them say that the page
// wants it switched on ("Please enable JavaScript", "请启用JavaScript"). A text about programming
// has it as well: a bound belongs on domains of web pages. The whole word, where C4 takes any place
// in a line. Never null. Cost: in facts/phrases.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_javascript_phrases(Registry& registry) {
  registry.add({.name = "javascript_phrases",
                .unit = "phrases",
                .summary = "number of times the word javascript stands in a text; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return text.phrases.javascript;
                }});
}

}  // namespace headrace::measure
