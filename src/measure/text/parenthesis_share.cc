// SPDX-License-Identifier: Apache-2.0
// Parenthesis share: brackets ( ) [ ] { } and their full-width forms （ ） ［ ］ ｛ ｝ per code
// point. Each bracket counts, not what stands between.
//
// Source: the parentheses filter of NeMo Curator, bound 0.1, without its mathematical angle
// brackets and with the full-width forms that Chinese text has instead. English web pages lie below
// 0.012, Chinese encyclopaedia below 0.018, code between 0.015 and 0.08. Null for an empty text.
// Cost: in facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_parenthesis_share(Registry& registry) {
  registry.add(
      {.name = "parenthesis_share",
       .unit = "share",
       .summary =
           "share of code points that are round, square or curly brackets; null for an empty text",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.characters.brackets, text.view.counts.code_points);
       }});
}

}  // namespace headrace::measure
