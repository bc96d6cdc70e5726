// SPDX-License-Identifier: Apache-2.0
// White space share: code points with the property White_Space (blank, tab, line ends, no-break and
// ideographic space ...) per code point.
//
// Zero-width characters are not white space: they are special symbols. English prose lies near
// 0.17, Chinese below 0.05, tables laid out with blanks above 0.4. Null for an empty text. Cost:
// none, the view has counted them.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_whitespace_share(Registry& registry) {
  registry.add({.name = "whitespace_share",
                .unit = "share",
                .summary = "share of code points that are white space; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.view.counts.spaces, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
