// SPDX-License-Identifier: Apache-2.0
// data-juicer-zh: Data-Juicer's recipe for Chinese, alpaca-cot-zh-refine.
//
// Source: Chen and others 2023 (arXiv 2309.02033); datajuicer/data-juicer 1dc20a5. A coarse net:
// its bound on repeated characters does not see an advertisement of 34 characters fifty times over
// (0.157); see docs/rooms/06-judge.md.
#include "judge/judge.h"

namespace headrace::judge {

void register_data_juicer_zh(Registry& registry) {
  registry.add({.name = "data-juicer-zh",
                .summary = "Chinese text by Data-Juicer's recipe: length, line length, "
                           "alphanumerics, special characters, repetition, flagged words (arXiv "
                           "2309.02033, alpaca-cot-zh).",
                .differs = "perplexity (1500) and the language score (0.8) are not part of it; "
                           "deduplication is a section of its own; words are Unicode's where the "
                           "source uses SentencePiece, and the list of flagged words is this "
                           "project's",
                .set = {.rules = {{.column = "code_points", .min = 10},
                                  {.column = "mean_line_length", .min = 10},
                                  {.column = "special_char_share", .max = 0.25},
                                  {.column = "alnum_share", .min = 0.1},
                                  {.column = "flagged_word_share", .max = 0.017},
                                  {.column = "char_10gram_repetition", .max = 0.6},
                                  {.column = "word_10gram_repetition", .max = 0.5}}}});
}

}  // namespace headrace::judge
