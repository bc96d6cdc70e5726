// SPDX-License-Identifier: Apache-2.0
// URL share: code points inside URLs per code point.
//
// A URL begins with http://, https:// (letters of any case) or with www. and a letter or digit
// behind it, where no ASCII letter or digit stands before. It goes on over printable ASCII other
// than " < > \ ^ ` { | } and ends before white space, any other character (in Chinese text often
// directly behind it), and any of . , ; : ! ? ' ) ] * at its end, which close a sentence or a
// bracket.
//
// 95 % of English web pages lie below 0.003; 0.2 is the bound of corpora of Chinese web text. Null
// for an empty text. Cost: in facts/urls.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_url_share(Registry& registry) {
  registry.add({.name = "url_share",
                .unit = "share",
                .summary = "share of code points inside http://, https:// and www. addresses; null "
                           "for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.url_code_points, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
