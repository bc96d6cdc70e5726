// SPDX-License-Identifier: Apache-2.0
// Median line length, in code points; the mean of the two in the middle where there are two.
//
// Lines are those of TextView::lines: without blank ones and without the white space at both ends.
// Unlike the mean it does not see the one long paragraph under a page of menus, nor the one menu
// under an article. On prose: English web pages (672) median 131, the middle 90 % 23 to 480; main
// text of Chinese pages (69) 84, 16 to 402.
//
// Null without lines. Cost: in facts/lines.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_median_line_length(Registry& registry) {
  registry.add({.name = "median_line_length",
                .unit = "code points",
                .summary = "median length of the lines that are not blank; null without lines",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  if (text.view.lines.empty()) return std::nullopt;
                  return text.lines.median_length;
                }});
}

}  // namespace headrace::measure
