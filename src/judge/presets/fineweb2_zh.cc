// SPDX-License-Identifier: Apache-2.0
// fineweb2-zh: the thresholds that FineWeb-2 fitted for Mandarin in Han script (cmn_Hani).
//
// Source: Penedo and others 2025 (arXiv 2506.20920); huggingface/fineweb-2 d0defb2,
// configs/cmn_Hani.yml. It turns off the rules on paragraphs (its extractor removes repeated ones),
// on short lines, and C4's.
#include "judge/judge.h"

namespace headrace::judge {

void register_fineweb2_zh(Registry& registry) {
  registry.add({.name = "fineweb2-zh",
                .summary = "Chinese web text by the thresholds of FineWeb-2 for Mandarin: Gopher's "
                           "rules and FineWeb's refitted (arXiv 2506.20920).",
                .differs = "words are Unicode's, each Han character its own, where the source "
                           "segments with jieba: word counts are higher, and word n-grams are "
                           "shorter in characters, so that the bounds on them drop more; the "
                           "language score (0.692) is not part of it",
                .set = {.rules = {{.column = "words", .min = 50, .max = 100000},
                                  {.column = "mean_word_length", .min = 1, .max = 5},
                                  {.column = "hash_per_word", .max = 0.1},
                                  {.column = "ellipsis_per_word", .max = 0.1},
                                  {.column = "bullet_line_share", .max = 0.9},
                                  {.column = "ellipsis_line_share", .max = 0.3},
                                  {.column = "alphabetic_word_share", .min = 0.735},
                                  {.column = "stop_words", .min = 2},
                                  {.column = "end_mark_line_share", .min = 0.106},
                                  {.column = "newlines_per_word", .max = 0.178},
                                  {.column = "repeated_line_share", .max = 0.287},
                                  {.column = "repeated_line_char_share", .max = 0.1},
                                  {.column = "top_word_2gram_share", .max = 0.256},
                                  {.column = "top_word_3gram_share", .max = 0.201},
                                  {.column = "top_word_4gram_share", .max = 0.171},
                                  {.column = "dup_word_5gram_share", .max = 0.198},
                                  {.column = "dup_word_6gram_share", .max = 0.182},
                                  {.column = "dup_word_7gram_share", .max = 0.167},
                                  {.column = "dup_word_8gram_share", .max = 0.154},
                                  {.column = "dup_word_9gram_share", .max = 0.14},
                                  {.column = "dup_word_10gram_share", .max = 0.127}}}});
}

}  // namespace headrace::judge
