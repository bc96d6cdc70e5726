// SPDX-License-Identifier: Apache-2.0
// dolma: the thresholds that Dolma's mixer set on its Gopher tagger (v1.5 and v1.6).
//
// Source: Soldaini and others 2024 (arXiv 2402.00159); allenai/dolma 669f534, configs of the
// Common Crawl mixer. Its mixer named n-gram columns that its tagger did not write, and so kept
// what they should have dropped; here an unknown column is an error.
#include "judge/judge.h"

namespace headrace::judge {

void register_dolma(Registry& registry) {
  registry.add({.name = "dolma",
                .summary = "English web text by the thresholds of Dolma: Gopher's rules with the "
                           "median word length and laxer bounds on repeated lines (arXiv "
                           "2402.00159).",
                .differs = "repetition spans, the language score (0.5) and toxicity are not part "
                           "of it; repeated lines count second and later copies, where the source "
                           "counts every member of a group; words and nulls as in gopher",
                .set = {.rules = {{.column = "words", .min = 50, .max = 100000},
                                  {.column = "median_word_length", .min = 3, .max = 10},
                                  {.column = "hash_per_word", .max = 0.1},
                                  {.column = "ellipsis_per_word", .max = 0.1},
                                  {.column = "bullet_line_share", .max = 0.9},
                                  {.column = "ellipsis_line_share", .max = 0.3},
                                  {.column = "alphabetic_word_share", .min = 0.8},
                                  {.column = "stop_words", .min = 2},
                                  {.column = "repeated_line_share", .max = 0.3},
                                  {.column = "repeated_line_char_share", .max = 0.3},
                                  {.column = "top_word_2gram_share", .max = 0.2},
                                  {.column = "top_word_3gram_share", .max = 0.18},
                                  {.column = "top_word_4gram_share", .max = 0.16},
                                  {.column = "dup_word_5gram_share", .max = 0.15},
                                  {.column = "dup_word_6gram_share", .max = 0.14},
                                  {.column = "dup_word_7gram_share", .max = 0.13},
                                  {.column = "dup_word_8gram_share", .max = 0.12},
                                  {.column = "dup_word_9gram_share", .max = 0.11},
                                  {.column = "dup_word_10gram_share", .max = 0.1}}}});
}

}  // namespace headrace::judge
