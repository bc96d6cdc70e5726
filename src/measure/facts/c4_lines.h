// SPDX-License-Identifier: Apache-2.0
// The rule by which C4 keeps lines, for Chinese too.
//
// A line, without the white space at both ends, is kept that
//   - ends in an end mark or an end quotation mark, and not in an ellipsis ("..." or "…");
//   - has at least 3 words between white space, or 5 Han characters: Han text has no blanks, and
//     three words of it are five characters;
//   - has no word of more than 1000 code points, where a Han character is a word of its own;
//   - holds none of C4's phrases ("javascript", "privacy policy" ...) nor their Chinese kin, in
//     capitals or not.
//
// Source: C4 (arXiv 1910.10683), in the form of datatrove's C4QualityFilter, which it equals on
// lines that end in ASCII and hold no Han; but for what that filter deletes first, the marks [1],
// [edit] and [citation needed] of Wikipedia.
#pragma once

#include <cstdint>
#include <vector>

#include "record/text_view.h"

namespace headrace::measure {

// Keeps a little memory for the next text. One per thread.
class C4LineRule {
 public:
  // Looks for the phrases. The view must stay.
  void start(const TextView& view);

  // For the lines of the view in their order. `final` is where the last code point of the line
  // begins.
  bool keeps(TextRange line, std::uint32_t final_code_point);

 private:
  bool enough_words(TextRange line) const;

  const TextView* view_ = nullptr;
  std::vector<std::uint32_t> phrases_;  // first bytes, ascending
  std::size_t next_phrase_ = 0;
};

// Whether the line ends in "..." or "…".
bool ends_in_ellipsis(const TextView& view, TextRange line);

}  // namespace headrace::measure
