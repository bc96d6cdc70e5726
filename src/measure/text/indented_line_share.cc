// SPDX-License-Identifier: Apache-2.0
// Indented line share: lines whose first visible character stands directly behind an ASCII blank or
// a tab, per line. Lines are those that hold anything but white space.
//
// Half of the files of code have 0.79 and more, 95 % of the prose 0; English paragraphs that begin
// with a tab, lists and poems lie between. The two full-width blanks (U+3000) that begin a Chinese
// paragraph do not indent. The step whitespace with mode single_line leaves nothing to see. Null
// without lines. Cost: in facts/characters.cc.
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {

void register_indented_line_share(Registry& registry) {
  registry.add({.name = "indented_line_share",
                .unit = "share",
                .summary = "share of lines whose first visible character stands behind a blank or "
                           "tab; null without lines",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return share(text.characters.indented_lines, text.view.lines.size());
                }});
}

}  // namespace headrace::measure
