// SPDX-License-Identifier: Apache-2.0
// Passes 2 and 3: which part of a page is its content.
#pragma once

#include <cstdint>
#include <vector>

#include "normalize/internal/html_page.h"

namespace headrace::normalize::internal {

struct HtmlChoice {
  // Ascending, apart from each other; what is not negative in there is content.
  std::vector<std::uint32_t> elements;
  std::uint32_t core_begin = 0;  // the first block of what was chosen before it was extended
  double value = 0;
};

// Marks the negative blocks. Without `use_hints` only repeated teasers are negative.
void mark_negative(bool use_hints, HtmlPage* page);

// Values of blocks are set, negative ones marked; a page without blocks has no choice.
HtmlChoice choose_content(const HtmlPage& page);

}  // namespace headrace::normalize::internal
