// SPDX-License-Identifier: Apache-2.0
// The "post_processor" of a tokenizer.json: tokens around a text.
#pragma once

#include <cstdint>
#include <vector>

#include "headrace/result.h"

#include "tokenize/json_fields.h"

namespace headrace::tokenize {

struct AroundText {
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> behind;
};

// What the file puts around a single text; nothing if it has no post-processor. Unsupported: one
// that is not known, by name.
Result<AroundText> read_post_processor(const JsonObject& root);

}  // namespace headrace::tokenize
