// SPDX-License-Identifier: Apache-2.0
// Lines that hold anything but white space.
//
// Blank lines are layout: the same text set airily has the same number of lines, and a text of
// nothing but line ends has none. What ends a line is '\n'; the '\r' before it is white space. The
// last line needs no end.
// Never null: a text without lines has 0. Cost: none, the view has found them.
#include "measure/measure.h"

namespace headrace::measure {

void register_line_count(Registry& registry) {
  registry.add({.name = "line_count",
                .unit = "lines",
                .summary = "lines that hold anything but white space; never null",
                .of = [](const TextFacts& text) -> std::optional<double> {
                  return static_cast<double>(text.view.lines.size());
                }});
}

}  // namespace headrace::measure
