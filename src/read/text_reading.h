// SPDX-License-Identifier: Apache-2.0
// How the readers take the text of a file, for people who ask before they run.
#pragma once

#include <string>
#include <string_view>

#include "headrace/result.h"

#include "record/text_decoder.h"

namespace headrace::read {

struct TextReading {
  std::string encoding;  // "" when they cannot tell: only records of plain ASCII pass
  std::string damage;    // of UTF-8: what is wrong, and what it may be instead; "" = nothing
};

// By the first bytes, with nothing declared.
Result<TextReading> reading_of(std::string_view head, const EncodingHints& hints,
                               const DecoderFactory& decoders);

}  // namespace headrace::read
