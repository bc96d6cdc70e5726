// SPDX-License-Identifier: Apache-2.0
// Ellipsis line share: lines that end in "..." or "…", per line.
//
// Lines are those of TextView::lines: without blank ones and without the white space at both ends.
//
// Source: Gopher (arXiv 2112.11446), which drops above 0.3: teasers that are cut off. The same test
// as datatrove's, which counts blank lines in the denominator and splits at more line ends; dolma's
// looks for "…" alone. Other forms, as 。。。 and "…”", do not count. On prose: English web pages
// (672) median 0, the middle 90 % 0 to 0.06; main text of Chinese pages (69) 0, 0 to 0.03.
//
// Null without lines. Cost: in facts/lines.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_ellipsis_line_share(Registry& registry) {
  registry.add({.name = "ellipsis_line_share",
                .unit = "share",
                .summary = "share of lines that end in ... or …; null without lines",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.lines.ellipsis_ended, text.view.lines.size());
                }});
}

}  // namespace headrace::measure
