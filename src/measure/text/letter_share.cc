// SPDX-License-Identifier: Apache-2.0
// Letter share: letters of any script, with their combining marks and Han characters, per code
// point.
//
// Han characters are letters: a bound on letters that leaves them out drops all Chinese. Marks
// count because Indic and Arabic words are written with them. White space is in the denominator, so
// English prose lies near 0.8, Chinese near 0.85.
// Null for an empty text. Cost: none, the view has counted them.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_letter_share(Registry& registry) {
  registry.add({.name = "letter_share",
                .unit = "share",
                .summary = "share of code points that are letters of any script, Han characters "
                           "included; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.view.counts.letters + text.view.counts.han,
                               text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
