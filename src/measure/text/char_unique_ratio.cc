// SPDX-License-Identifier: Apache-2.0
// Character unique ratio: 1 - different code points / code points. All code points count, white
// space too; case is not folded.
//
// Widely used as "character repetition", with a bound of 0.5, and it measures length: an alphabet
// has an end, so the ratio goes to 1 for every text (docs/measures/char_unique_ratio.md has the
// table, from this repository's own command). At 0.5 it drops all English text of 100 characters
// and three Chinese texts in four of 500. It is here so that it can be compared with and so that
// recipes from elsewhere can be followed; no preset uses it bare. For repetition:
// dup_10gram_coverage, periodic_run_share, repeated_line_share.
//
// Null for an empty text. Cost: in facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_char_unique_ratio(Registry& registry) {
  registry.add({.name = "char_unique_ratio",
                .unit = "share",
                .summary = "1 - different code points / code points: a function of length, not of "
                           "repetition; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  const std::uint32_t all = text.view.counts.code_points;
                  return share(all - text.characters.distinct, all);
                }});
}

}  // namespace headrace::measure
