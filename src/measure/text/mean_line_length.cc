// SPDX-License-Identifier: Apache-2.0
// Mean line length: code points per line.
//
// Lines are those of TextView::lines: without blank ones and without the white space at both ends.
//
// Source: Data-Juicer's average_line_length_filter, which keeps from 10 on, and the filters of code
// corpora (The Stack drops a mean above 100). Those divide all code points of the text, line ends
// included, by all its lines, blank ones included, so that airy text looks shorter. On prose:
// English web pages (672) median 162, the middle 90 % 45 to 482; main text of Chinese pages (69)
// 100, 25 to 423.
//
// Null without lines. Cost: in facts/lines.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_mean_line_length(Registry& registry) {
  registry.add({.name = "mean_line_length",
                .unit = "code points per line",
                .summary = "mean length of the lines that are not blank; null without lines",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.lines.code_points, text.view.lines.size());
                }});
}

}  // namespace headrace::measure
