// SPDX-License-Identifier: Apache-2.0
// zh-web: Chinese web text, a coarse net against fragments, dumps, number tables and symbol art.
//
// Source: the thresholds that this project's recipe gives as its defaults. They are wide on
// purpose: each names text that is hardly ever prose, and finer bounds come from the data (`auto`),
// per domain. Bounds on repetition are not here: they grow with length and want buckets.
#include "judge/judge.h"

namespace headrace::judge {

void register_zh_web(Registry& registry) {
  registry.add({.name = "zh-web",
                .summary = "Chinese web text: length, symbols, digits and sentence length within "
                           "wide bounds of prose (this project's defaults).",
                .differs = "",
                .set = {.rules = {{.column = "code_points", .min = 20, .max = 100000},
                                  {.column = "special_symbol_share", .max = 0.3},
                                  {.column = "digit_share", .max = 0.5},
                                  {.column = "mean_sentence_length", .min = 3, .max = 200}}}});
}

}  // namespace headrace::judge
