// SPDX-License-Identifier: Apache-2.0
// Alphanumeric share: letters, Han characters and decimal digits per code point.
//
// Source: Data-Juicer's alphanumeric_filter, which sums Python's str.isalnum(). The two differ on
// combining marks, which are letters here (Hindi, Arabic and Thai words would fall apart otherwise)
// and not there, on numbers that are not decimal digits (½ ² Ⅷ), which are special symbols here and
// count there, and on a few modifier letters. English and Chinese prose have none of either; there
// the values are equal, to the bit (tests/interop/data_juicer/test_measures_data_juicer.py).
//
// English web pages have 0.76 to 0.83, Chinese encyclopaedia 0.86 to 0.91, code 0.52 to 0.75. Null
// for an empty text (Data-Juicer: 0). Cost: none, the view has counted them.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_alnum_share(Registry& registry) {
  registry.add({.name = "alnum_share",
                .unit = "share",
                .summary = "share of code points that are letters, Han characters or decimal "
                           "digits; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  const TextCounts& counts = text.view.counts;
                  return share(counts.letters + counts.han + counts.digits, counts.code_points);
                }});
}

}  // namespace headrace::measure
