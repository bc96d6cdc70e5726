// SPDX-License-Identifier: Apache-2.0
// Han share: Han characters (script Han, with 々 〇 and radicals) per code point.
//
// Tells Chinese text from Latin without a language model; Chinese prose lies near 0.85, the rest
// being punctuation, digits and names. Japanese lies between: kana are not Han.
// Null for an empty text. Cost: none, the view has counted them.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_han_share(Registry& registry) {
  registry.add({.name = "han_share",
                .unit = "share",
                .summary = "share of code points that are Han characters; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.view.counts.han, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
