// SPDX-License-Identifier: Apache-2.0
// fineweb: Gopher's rules, C4's without the one on line ends, and three of FineWeb's own.
//
// Source: Penedo and others 2024 (arXiv 2406.17557); datatrove 0.10.0, FineWebQualityFilter and the
// published FineWeb pipeline. Its bound of 0.01 on characters in repeated lines is the tighter of
// two on that column.
#include "judge/judge.h"

namespace headrace::judge {

void register_fineweb(Registry& registry) {
  registry.add({.name = "fineweb",
                .summary = "English web text by the rules of FineWeb: Gopher, C4 without its line "
                           "rule, and bounds on line ends, short lines and line breaks (arXiv "
                           "2406.17557).",
                .differs = "the language score (0.65) and the URL lists are not part of it; C4's "
                           "removal of lines is not done; words and nulls as in gopher",
                .set = {.rules = {{.column = "words", .min = 50, .max = 100000},
                                  {.column = "mean_word_length", .min = 3, .max = 10},
                                  {.column = "hash_per_word", .max = 0.1},
                                  {.column = "ellipsis_per_word", .max = 0.1},
                                  {.column = "bullet_line_share", .max = 0.9},
                                  {.column = "ellipsis_line_share", .max = 0.3},
                                  {.column = "alphabetic_word_share", .min = 0.8},
                                  {.column = "stop_words", .min = 2},
                                  {.column = "sentences", .min = 5},
                                  {.column = "curly_braces", .max = 0},
                                  {.column = "lorem_ipsum", .max = 0},
                                  {.column = "end_mark_line_share", .min = 0.12},
                                  {.column = "short_line_share", .max = 0.67},
                                  {.column = "newlines_per_word", .max = 0.3},
                                  {.column = "repeated_line_share", .max = 0.3},
                                  {.column = "repeated_line_char_share", .max = 0.01},
                                  {.column = "repeated_paragraph_share", .max = 0.3},
                                  {.column = "repeated_paragraph_char_share", .max = 0.2},
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
