// SPDX-License-Identifier: Apache-2.0
// Upper-case share: letters of category Lu per letter, Han characters included.
//
// English web pages have 0.02 to 0.13, headings and shouting 1, Chinese encyclopaedia 0.00 to 0.04:
// a Han character is a letter without case, so that a name in capitals inside a Chinese text does
// not make it shout. Title case letters (ǅ) and Roman numerals (Ⅳ) are not in Lu. Null without
// letters. Cost: none, the view has counted them.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_upper_share(Registry& registry) {
  registry.add(
      {.name = "upper_share",
       .unit = "share",
       .summary = "upper-case letters per letter, Han characters included; null without letters",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.view.counts.upper, text.view.counts.letters + text.view.counts.han);
       }});
}

}  // namespace headrace::measure
