// SPDX-License-Identifier: Apache-2.0
// C4 line share: lines that C4's line rule keeps, per line.
//
// The rule, in facts/c4_lines.h: the line ends in an end mark or end quotation mark, not in an
// ellipsis, has at least 3 words (or 5 Han characters), no word above 1000 code points, and no
// phrase about javascript, cookies or terms of use. Chinese end marks, quotation marks and phrases
// are among them: under C4's own rule no Chinese line stays.
//
// Source: C4 (arXiv 1910.10683), which deletes the other lines; here the share is told and the text
// stays. Equal to datatrove's C4QualityFilter on lines that end in ASCII and hold no Han, but for
// the citations that it deletes first. dolma's c4_v2 takes no ' for an end mark, knows no ellipsis,
// and speaks of javascript per page. On prose: English web pages (672) median 0.67, the middle 90 %
// 0 to 1; main text of Chinese pages (69) 0.75, 0.11 to 1.
//
// Null without lines. Cost: in facts/c4_lines.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_c4_line_share(Registry& registry) {
  registry.add({.name = "c4_line_share",
                .unit = "share",
                .summary = "share of lines that the line rule of C4 keeps, Chinese marks included; "
                           "null without lines",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.lines.c4_lines, text.view.lines.size());
                }});
}

}  // namespace headrace::measure
