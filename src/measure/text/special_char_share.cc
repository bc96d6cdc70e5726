// SPDX-License-Identifier: Apache-2.0
// Special character share, as Data-Juicer counts it: code points that stand in its list, per code
// point.
//
// Source: special_characters_filter of Data-Juicer 1.6.1, after the ROOTS filters (arXiv
// 2303.03915). The list holds all ASCII that is neither letter nor control character (so digits,
// white space and ordinary punctuation), some 250 signs collected from web pages, and every emoji
// of one code point. Among the signs are letters that looked like bullets: 一, 上, 士, シ, ー, ø,
// π, Г. So every space and every 一 of a good text is special: English web pages have 0.18 to 0.28,
// Chinese encyclopaedia 0.14 to 0.21. For what is special in any stricter sense there is
// special_symbol_share; this column is for bounds that were found with Data-Juicer, and equals it
// to the bit (tests/interop/data_juicer/test_measures_data_juicer.py).
//
// Null for an empty text (Data-Juicer: 0). Cost: in facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_special_char_share(Registry& registry) {
  registry.add({.name = "special_char_share",
                .unit = "share",
                .summary = "share of code points in Data-Juicer's list of special characters; null "
                           "for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.special_chars, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
