// SPDX-License-Identifier: Apache-2.0
// ASCII share: code points below U+0080, white space and control characters included, per code
// point.
//
// English web pages lie above 0.98, Chinese encyclopaedia between 0.05 and 0.23. Together with
// han_share and letter_share it tells scripts apart before any model does. Null for an empty text.
// Cost: in facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_ascii_share(Registry& registry) {
  registry.add({.name = "ascii_share",
                .unit = "share",
                .summary = "share of code points below U+0080; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.ascii, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
