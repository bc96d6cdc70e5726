// SPDX-License-Identifier: Apache-2.0
// Median word length: code points of the middle word by length, half-way between the middle two
// if their number is even.
//
// Source: Dolma 1.5 tests the median (3 to 10) where Gopher tests the mean: one very long "word"
// (a hash, encoded data) moves the mean of a short text and leaves the median. Whole or half
// numbers, so bounds are coarse. Chinese text: 1.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_median_word_length(Registry& registry) {
  registry.add({.name = "median_word_length",
                .unit = "code points",
                .summary = "median length of words, between the middle two if they are an even "
                           "number; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.counts.words == 0) return std::nullopt;
                  return text.words.twice_median_length / 2.0;
                }});
}

}  // namespace headrace::measure
