// SPDX-License-Identifier: Apache-2.0
// Short line share: lines of 30 code points or less, per line.
//
// Lines are those of TextView::lines: without blank ones and without the white space at both ends.
//
// Source: FineWeb (arXiv 2406.17557), which drops above 0.67. Equal to datatrove's where lines have
// no white space at their ends, for it measures them with it. 30 code points of Chinese are a full
// sentence: FineWeb-2 turns the rule off for it. On prose: English web pages (672) median 0.12, the
// middle 90 % 0 to 0.65; main text of Chinese pages (69) 0.25, 0 to 0.74.
//
// Null without lines. Cost: in facts/lines.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_short_line_share(Registry& registry) {
  registry.add({.name = "short_line_share",
                .unit = "share",
                .summary = "share of lines of 30 code points or less; null without lines",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.lines.short_lines, text.view.lines.size());
                }});
}

}  // namespace headrace::measure
