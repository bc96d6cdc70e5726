// SPDX-License-Identifier: Apache-2.0
// The "pre_tokenizer" of a tokenizer.json, as steps.
#pragma once

#include "headrace/result.h"

#include "tokenize/json_fields.h"
#include "tokenize/pre_tokenizer_steps.h"

namespace headrace::tokenize {

struct PreTokenizerSteps {
  std::vector<PreTokenizerStep> steps;
  // The last was a ByteLevel: what is to be written as characters of bytes is still bytes.
  bool ends_with_bytes = false;
};

// Unsupported: a step that is not known, by name. `has_normalizer`: texts were changed before.
Result<PreTokenizerSteps> read_pre_tokenizer(const JsonElement& value, bool has_normalizer);

}  // namespace headrace::tokenize
