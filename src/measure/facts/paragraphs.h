// SPDX-License-Identifier: Apache-2.0
// Paragraphs of a text, counted once for all measures of paragraphs.
#pragma once

#include <cstdint>
#include <span>

#include "measure/internal/seen_before.h"
#include "record/text_view.h"

namespace headrace::measure {

// A paragraph is a run of lines that are not blank, up to a blank line or an end of the text. Two
// are equal when their lines are, one by one, without the white space at the ends of each.
struct ParagraphFacts {
  std::uint32_t paragraphs = 0;
  std::uint32_t repeated = 0;              // equal to an earlier paragraph (by a 64-bit hash)
  std::uint64_t repeated_code_points = 0;  // of these, line ends between their lines included
};

// Keeps its table, up to 8 MiB, for the next text. One per thread.
class ParagraphCounter {
 public:
  // `line_hashes` of view.lines: LineCounter::hashes().
  ParagraphFacts count(const TextView& view, std::span<const std::uint64_t> line_hashes);

 private:
  SeenBefore seen_;
};

}  // namespace headrace::measure
