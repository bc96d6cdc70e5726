// SPDX-License-Identifier: Apache-2.0
// Control share: code points of category Cc (U+0000 to U+001F, U+007F to U+009F) that are not white
// space, per code point. White space are tab, line feed, vertical tab, form feed, carriage return
// and U+0085.
//
// Text has none. What has some was binary data, a terminal log, or Windows-1252 read as Latin-1,
// whose quotes become U+0091 to U+0094. Behind the step control_chars it is 0. Null for an empty
// text. Cost: in facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_control_share(Registry& registry) {
  registry.add({.name = "control_share",
                .unit = "share",
                .summary = "share of code points that are control characters other than white "
                           "space; null for an empty text",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.control, text.view.counts.code_points);
                }});
}

}  // namespace headrace::measure
