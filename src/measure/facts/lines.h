// SPDX-License-Identifier: Apache-2.0
// Lines of a text, counted once for all measures of lines.
#pragma once

#include <cstdint>
#include <vector>

#include "record/text_view.h"

namespace headrace::measure {

// Lines are those of TextView::lines: without blank ones and without the white space at both ends.
struct LineFacts {
  std::uint32_t repeated = 0;  // equal to an earlier line (by a 64-bit hash)
};

// Keeps its table, up to 8 MiB, for the next text. One per thread.
class LineCounter {
 public:
  LineFacts count(const TextView& view);

 private:
  std::vector<std::uint64_t> table_;
};

}  // namespace headrace::measure
