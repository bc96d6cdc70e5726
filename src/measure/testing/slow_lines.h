// SPDX-License-Identifier: Apache-2.0
// The definitions of facts/lines.h, c4_lines.h and paragraphs.h a second time, over single code
// points, for the tests of the measures made of them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "record/char_class.h"
#include "record/testing/slow_view.h"

namespace headrace::measure {

struct SlowParagraph {
  std::string lines;        // trimmed, each with a newline
  std::size_t code_points;  // from the first visible one to the last
};
std::vector<SlowParagraph> slow_paragraphs(const SlowView& view);

// The functions below take a line of SlowView::lines: not blank, trimmed.
bool slow_end_marked(const std::string& line);

struct SlowSentences {
  std::size_t count = 0;
  std::size_t unended = 0;
};
SlowSentences slow_sentences(const std::string& line);

bool slow_c4_keeps(const std::string& line);

// Share of the lines that hold anything but white space for which `counts` is true. It gets the
// code points of the line and the place of the first and behind the last visible one.
template <class Counts>
std::optional<double> share_of_lines(const SlowView& view, Counts counts) {
  std::size_t lines = 0, found = 0;
  for (std::size_t begin = 0; begin < view.code_points.size();) {
    std::size_t end = begin;
    while (end < view.code_points.size() && view.code_points[end] != '\n') ++end;
    std::size_t first = begin, last = end;
    while (first < end && (view.classes[first] & kSpace) != 0) ++first;
    while (last > first && (view.classes[last - 1] & kSpace) != 0) --last;
    if (first < last) {
      ++lines;
      found += counts(begin, first, last) ? 1 : 0;
    }
    begin = end + 1;
  }
  if (lines == 0) return std::nullopt;
  return static_cast<double>(found) / static_cast<double>(lines);
}

}  // namespace headrace::measure
