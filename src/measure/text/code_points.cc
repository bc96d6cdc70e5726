// SPDX-License-Identifier: Apache-2.0
// Code points: the length of a text, as Unicode counts it.
//
// Bytes would make Chinese three times as long as English, words have no common meaning across
// languages; so length buckets and bounds on length look at this. A combining mark counts for
// itself, as does each part of an emoji. White space and line ends count.
// Never null: an empty text has 0. Cost: none, the view has counted them.
#include "measure/measure.h"

namespace headrace::measure {

void register_code_points(Registry& registry) {
  registry.add(
      {.name = "code_points",
       .unit = "code points",
       .summary = "characters of the text as Unicode counts them, white space included; never null",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return static_cast<double>(text.view.counts.code_points);
       }});
}

}  // namespace headrace::measure
