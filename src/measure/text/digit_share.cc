// SPDX-License-Identifier: Apache-2.0
// Digit share: decimal digits (category Nd, full-width and other scripts included) per code point.
//
// Not digits: ² ½ ① Ⅷ, and 一二三, which are letters to everyone who counts. White space counts in
// the denominator, as in every share of code points here. High in tables, logs and number spam.
// Null for an empty text. Cost: none, the view has counted them.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_digit_share(Registry& registry) {
  registry.add({.name = "digit_share",
                .unit = "share",
                .summary = "share of code points that are decimal digits; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.view.counts.digits, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
