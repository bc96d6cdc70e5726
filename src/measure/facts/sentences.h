// SPDX-License-Identifier: Apache-2.0
// Sentences of a text, counted once for all measures of sentences. Those that line ends cut as well
// are in facts/lines.h.
#pragma once

#include <cstdint>

#include "record/text_view.h"

namespace headrace::measure {

struct SentenceFacts {
  std::uint32_t longest = 0;  // code points, without the white space in front
};

SentenceFacts count_sentences(const TextView& view);

}  // namespace headrace::measure
