// SPDX-License-Identifier: Apache-2.0
// roots-zh: what BigScience set for Chinese in the ROOTS corpus.
//
// Source: Laurençon and others 2022 (arXiv 2303.03915); bigscience-workshop/data-preparation,
// parameters_filtering.py, the Chinese entry. Its bound on repeated character n-grams (n = 3,
// at most 0.2) has no column here, and character_repetition with n = 10 has a known hole: see
// docs/rooms/06-judge.md.
#include "judge/judge.h"

namespace headrace::judge {

void register_roots_zh(Registry& registry) {
  registry.add({.name = "roots-zh",
                .summary = "Chinese web text by the bounds of ROOTS: special characters, stop "
                           "words, flagged words (arXiv 2303.03915).",
                .differs = "repeated character 3-grams (0.2), perplexity (2095) and the language "
                           "score (0.85) are not part of it; words are Unicode's where the source "
                           "counts SentencePiece pieces, so that its bound on stop words is met "
                           "more rarely; the word lists are this project's",
                .set = {.rules = {{.column = "words", .min = 1, .max = 1000000},
                                  {.column = "special_char_share", .max = 0.3},
                                  {.column = "stop_word_share", .min = 0.1691},
                                  {.column = "flagged_word_share", .max = 0.001}}}});
}

}  // namespace headrace::judge
