// SPDX-License-Identifier: Apache-2.0
// Punctuation share: code points that are punctuation of prose, Chinese and English alike, per code
// point. Which these are stands in record/char_class.h; the signs # @ * & % and their like are
// special symbols instead (special_symbol_share).
//
// English web pages have 0.02 to 0.06, Chinese encyclopaedia 0.09 to 0.13: it sets a mark every ten
// characters. Code has 0.06 to 0.30. Null for an empty text. Cost: none, the view has counted them.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_punct_share(Registry& registry) {
  registry.add(
      {.name = "punct_share",
       .unit = "share",
       .summary = "share of code points that are punctuation of prose; null for an empty text",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.view.counts.punct, text.view.counts.code_points);
       }});
}

}  // namespace headrace::measure
