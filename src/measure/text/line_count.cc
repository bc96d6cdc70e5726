// SPDX-License-Identifier: Apache-2.0
// Lines that hold anything but white space.
//
// Blank lines are layout: the same text set airily has the same number of lines, and a text of
// nothing but line ends has none. What ends a line is '\n'; the '\r' before it is white space. The
// last line needs no end.
// Never null: a text without lines has 0. Cost: none, the view has found them.
#include <memory>
#include <optional>

#include "measure/measure.h"

namespace headrace::measure {
namespace {

class LineCount final : public Measure {
 public:
  std::optional<double> of(const TextView& view) const override {
    return static_cast<double>(view.lines.size());
  }
};

}  // namespace

void register_line_count(Registry& registry) {
  registry.add({"line_count", "lines", "lines that hold anything but white space; never null",
                [] { return std::unique_ptr<Measure>(std::make_unique<LineCount>()); }});
}

}  // namespace headrace::measure
