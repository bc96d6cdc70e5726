// SPDX-License-Identifier: Apache-2.0
// code: source code, by the shape of its lines.
//
// Source: datajuicer/data-juicer 1dc20a5, stack-code-refine.yaml (line lengths and alphanumerics);
// the bound on encoded data is that of StarCoder 2 (arXiv 2402.19173). Neither rules
// on words, stop words, punctuation nor repetition of n-grams: all of them fire on code.
#include "judge/judge.h"

namespace headrace::judge {

void register_code(Registry& registry) {
  registry.add({.name = "code",
                .summary = "Source code: line lengths and alphanumerics by Data-Juicer's stack- "
                           "code-refine, long encoded strings by StarCoder 2 (arXiv 2402.19173).",
                .differs = "the shares of comments and the rules per programming language are not "
                           "part of it; mean line length from 5, not 10, and repetition is not "
                           "judged: short files and tables repeat legitimately",
                .set = {.rules = {{.column = "code_points", .min = 20, .max = 1000000},
                                  {.column = "mean_line_length", .min = 5, .max = 150},
                                  {.column = "max_line_length", .max = 1000},
                                  {.column = "alnum_share", .min = 0.2, .max = 0.92},
                                  {.column = "encoded_data_share", .max = 0.5}}}});
}

}  // namespace headrace::judge
