// SPDX-License-Identifier: Apache-2.0
// zh-web: Chinese and English web text; takes out what is no text and leaves the rest to scores.
//
// Encyclopedias, news, novels and poems of both languages pass almost whole; repeated
// advertisements, symbol soup, lists of keywords, wrongly decoded text and navigation go. Bounds
// are this project's own, set on one half of real texts and checked on the other
// (bench/flow/preset_table.py; docs/rooms/06-judge.md has the table). Three ideas carry it:
//
// - Repetition is the share of characters in repeated runs of ten, not the naive measure. An
//   advertisement over and over has 0.83 at least, good text 0.65 at most; the bound is laxer for
//   long texts, since the share grows with length.
// - A list has no sentences. Where hardly a line ends as a sentence does, a mean sentence of
//   more than 180 characters (450 in Latin letters) is a list; news without line breaks and poems
//   have sentences inside their lines.
// - Wrongly decoded text has letters, and even Han, but no words: hardly a stop word.
//
// Code, and questions with answers of a few words, want settings of their own: `preset: code`, and
// `code_points: {min: 5}`.
#include "judge/judge.h"

namespace headrace::judge {

void register_zh_web(Registry& registry) {
  const Condition chinese = {.column = "han_share", .min = 0.2};
  const Condition latin = {.column = "ascii_share", .min = 0.9};
  const Condition without_ends = {.column = "end_mark_line_share", .max = 0.1};
  registry.add(
      {.name = "zh-web",
       .summary = "Chinese and English web text: not a fragment, not a dump of symbols, digits or "
                  "keywords, not repeated over and over, not wrongly decoded (this project's own "
                  "bounds, set on real texts)",
       .differs = "",
       .set = {
           .rules = {{.column = "code_points", .min = 20, .max = 1000000},
                     {.column = "letter_share", .min = 0.4},
                     {.column = "special_symbol_share", .max = 0.3},
                     {.column = "digit_share", .max = 0.5},
                     {.column = "mean_sentence_length", .min = 3, .max = 1000},
                     {.column = "repeated_line_share", .max = 0.5},
                     {.column = "dup_10gram_coverage", .max = 0.8}},
           .buckets = {
               {{{.column = "code_points", .max = 1000}},
                {{.column = "dup_10gram_coverage", .max = 0.7}}},
               {{without_ends}, {{.column = "mean_sentence_length", .min = 3, .max = 180}}},
               {{without_ends, latin}, {{.column = "mean_sentence_length", .min = 3, .max = 450}}},
               {{{.column = "words", .min = 30}}, {{.column = "stop_word_share", .min = 0.05}}},
               {{{.column = "words", .min = 30}, chinese},
                {{.column = "stop_word_share", .min = 0.01}}}}}});
}

}  // namespace headrace::judge
