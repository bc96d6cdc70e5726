// SPDX-License-Identifier: Apache-2.0
// Word 10-gram repetition, as Data-Juicer counts it: of all runs of 10 words, how many occur more
// than once; all occurrences count, the first too.
//
// Source: word_repetition_filter of Data-Juicer 1.6.1 with rep_len 10. Words are those of TextView,
// so each Han character is one, where Data-Juicer splits at blanks and strips marks from both ends:
// on text whose words are separated by blanks alone the values are equal, to the bit
// (tests/interop/data_juicer/test_measures_data_juicer.py); "don't" is two words here. Case of
// ASCII letters does not count. 95 % of English web pages lie below 0.003, of code files below
// 0.21.
//
// Null below 10 words (Data-Juicer: 0). Above 16,384 words the text is measured in pieces of as
// many, and the value is the share over all. Cost: in facts/word_ngrams.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_word_10gram_repetition(Registry& registry) {
  registry.add(
      {.name = "word_10gram_repetition",
       .unit = "share",
       .summary =
           "share of runs of 10 words that occur more than once (Data-Juicer); null below 10 words",
       .of = [](const TextFacts& text) -> std::optional<double> {
         const std::uint32_t words = text.view.counts.words;
         if (words < kMostNgramWords) return std::nullopt;
         return share(text.word_ngrams.repeated_10grams, words - kMostNgramWords + 1);
       }});
}

}  // namespace headrace::measure
