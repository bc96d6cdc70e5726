// SPDX-License-Identifier: Apache-2.0
// gopher: the quality and repetition rules of MassiveText, in the form that datatrove gives them.
//
// Source: Rae and others 2021 (arXiv 2112.11446); datatrove 0.10.0,
// GopherQualityFilter and GopherRepetitionFilter with their defaults. The bounds fit English: the
// mean length of Chinese words lies below 3.
#include "judge/judge.h"

namespace headrace::judge {

void register_gopher(Registry& registry) {
  registry.add({.name = "gopher",
                .summary = "English web text by the rules of Gopher: length, word shape, stop "
                           "words, and eleven bounds on repetition (arXiv 2112.11446, as in "
                           "datatrove).",
                .differs = "a word is one of Unicode, each Han character its own, where the source "
                           "splits at blanks; a share is null where a text is too short for it, "
                           "and then drops nothing; stop words are those of the text's language, "
                           "not eight English ones",
                .set = {.rules = {{.column = "words", .min = 50, .max = 100000},
                                  {.column = "mean_word_length", .min = 3, .max = 10},
                                  {.column = "hash_per_word", .max = 0.1},
                                  {.column = "ellipsis_per_word", .max = 0.1},
                                  {.column = "bullet_line_share", .max = 0.9},
                                  {.column = "ellipsis_line_share", .max = 0.3},
                                  {.column = "alphabetic_word_share", .min = 0.8},
                                  {.column = "stop_words", .min = 2},
                                  {.column = "repeated_line_share", .max = 0.3},
                                  {.column = "repeated_line_char_share", .max = 0.2},
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
