// SPDX-License-Identifier: Apache-2.0
// Longest word, in code points.
//
// Source: C4 drops lines with a word of over 1000 characters, ROOTS texts. Encoded data, keys
// and text that lost its blanks have words that no language has. A URL is cut at its marks, so it
// is no long word. It grows with length.
//
// Null for a text without words. Cost: in facts/words.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_max_word_length(Registry& registry) {
  registry.add({.name = "max_word_length",
                .unit = "code points",
                .summary = "length of the longest word; null without words",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.counts.words == 0) return std::nullopt;
                  return static_cast<double>(text.words.max_length);
                }});
}

}  // namespace headrace::measure
