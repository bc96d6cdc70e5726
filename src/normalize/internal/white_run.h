// SPDX-License-Identifier: Apache-2.0
// Stretches of blanks and line ends, parsed.
#pragma once

#include <cstddef>
#include <string_view>

namespace headrace::normalize::internal {

// A stretch of blanks and line ends. Counts are in code points.
struct Run {
  std::size_t end = 0;     // offset behind it
  std::size_t points = 0;  // all of it
  std::size_t spaces = 0;  // plain ones
  std::size_t tabs = 0;
  std::size_t ideographic = 0;
  std::size_t line_ends = 0;   // logical: CR LF is one, U+2029 two
  std::size_t line_feeds = 0;  // plain '\n'
  // What stands behind the last line end (or all of it, without one).
  std::size_t indent = 0;  // offset
  std::size_t indent_points = 0;
  bool indent_ideographic = false;
};

// The stretch that begins at `begin`; empty if a character of another kind stands there.
Run parse_run(std::string_view text, std::size_t begin);

// Start of the stretch that contains or touches `at`, not before `low`.
std::size_t run_begin(std::string_view text, std::size_t at, std::size_t low);

// True if a line behind `from` is indented, and not by an ideographic blank.
bool has_indented_line(std::string_view text, std::size_t from);

}  // namespace headrace::normalize::internal
