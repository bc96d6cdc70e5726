// SPDX-License-Identifier: Apache-2.0
// Long lines: how many lines have 200 code points or more.
//
// Lines are those of TextView::lines: without blank ones and without the white space at both ends.
// Grows with the text.
//
// Source: mC4 (arXiv 2010.11934), which keeps a page with three of them. datatrove's
// C4ParagraphFilter keeps the same pages, but for lines that reach 200 only with the white space at
// their ends. 200 code points of Chinese say what 300 to 400 of English do. On prose: English web
// pages (672) median 3, the middle 90 % 0 to 17; main text of Chinese pages (69) 1, 0 to 21.
//
// Never null. Cost: in facts/lines.cc.
#include "measure/measure.h"

namespace headrace::measure {

void register_long_lines(Registry& registry) {
  registry.add(
      {.name = "long_lines",
       .unit = "lines",
       .summary = "lines of 200 code points or more; never null",
       .of = [](const TextFacts& text) -> std::optional<double> { return text.lines.long_lines; }});
}

}  // namespace headrace::measure
