// SPDX-License-Identifier: Apache-2.0
// Repeated line share: lines that have occurred before in the text, per line.
//
// Source: Gopher (arXiv 2112.11446), duplicate line fraction. Tools disagree on the same name: here
// a line that stands three times counts twice (the copies, not the first), as in datatrove, and the
// denominator is lines. Lines are those of TextView::lines: without blank ones, and compared
// without the white space at both ends; otherwise airy text with empty lines between its paragraphs
// looks repetitive.
//
// Null for a text without lines. Cost: in facts/lines.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_repeated_line_share(Registry& registry) {
  registry.add(
      {.name = "repeated_line_share",
       .unit = "share",
       .summary = "share of non-blank lines that occurred before in the text; null without lines",
       .of = [](const TextFacts& text) -> std::optional<double> {
         return share(text.lines.repeated, text.view.lines.size());
       }});
}

}  // namespace headrace::measure
