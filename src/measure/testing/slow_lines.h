// SPDX-License-Identifier: Apache-2.0
// The definitions of facts/lines.h, c4_lines.h and paragraphs.h a second time, over single code
// points, for the tests of the measures made of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

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

}  // namespace headrace::measure
