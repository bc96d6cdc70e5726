// SPDX-License-Identifier: Apache-2.0
// Lines of a text, counted once for all measures of lines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "measure/facts/c4_lines.h"
#include "measure/internal/seen_before.h"
#include "record/text_view.h"

namespace headrace::measure {

inline constexpr std::uint32_t kShortLine = 30;  // code points at most: FineWeb
inline constexpr std::uint32_t kLongLine = 200;  // code points at least: mC4

// Lines are those of TextView::lines: without blank ones and without the white space at both ends.
// Lengths are in code points.
struct LineFacts {
  std::uint32_t repeated = 0;              // equal to an earlier line (by a 64-bit hash)
  std::uint64_t repeated_code_points = 0;  // of these
  std::uint64_t code_points = 0;           // of all lines
  std::uint32_t longest = 0;
  double median_length = 0;  // the mean of the two in the middle, if there are two
  std::uint32_t short_lines = 0;
  std::uint32_t long_lines = 0;
  std::uint32_t end_marked = 0;      // end in an end mark, or in closers behind one
  std::uint32_t ellipsis_ended = 0;  // end in "..." or "…"
  std::uint32_t bulleted = 0;        // begin with a bullet
  std::uint32_t upper_case = 0;      // more than half upper-case letters
  std::uint32_t c4_lines = 0;        // kept by C4LineRule
  std::uint32_t c4_sentences = 0;    // of these lines
  // Sentences of TextView, cut at line ends as well: what stands in a line behind its last end mark
  // and has a word in it is an unended one.
  std::uint32_t sentences = 0;
  std::uint32_t unended_sentences = 0;  // of these
};

// Keeps up to 8 MiB of tables, and 12 bytes a line of the longest text. One per thread.
class LineCounter {
 public:
  LineFacts count(const TextView& view);

  // Of the lines of that view.
  std::span<const std::uint64_t> hashes() const { return hashes_; }

 private:
  double median_length();

  SeenBefore seen_;
  C4LineRule c4_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> lengths_;
};

}  // namespace headrace::measure
