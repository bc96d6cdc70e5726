// SPDX-License-Identifier: Apache-2.0
// URLs: how many a text has.
//
// A URL begins with http://, https:// (letters of any case) or with www. and a letter or digit
// behind it, where no ASCII letter or digit stands before. It goes on over printable ASCII other
// than " < > \ ^ ` { | } and ends before white space, any other character (in Chinese text often
// directly behind it), and any of . , ; : ! ? ' ) ] * at its end, which close a sentence or a
// bracket.
//
// Grows with length: a bound belongs on url_share or in length buckets. Never null. Cost: in
// facts/urls.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_urls(Registry& registry) {
  registry.add(
      {.name = "urls",
       .unit = "URLs",
       .summary = "number of http://, https:// and www. addresses; never null",
       .of = [](const TextFacts& text) -> std::optional<double> { return text.characters.urls; }});
}

}  // namespace headrace::measure
