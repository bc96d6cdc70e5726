// SPDX-License-Identifier: Apache-2.0
// The "normalizer" of a tokenizer.json, as steps.
#pragma once

#include "headrace/result.h"

#include "tokenize/json_fields.h"
#include "tokenize/normalizer_steps.h"

namespace headrace::tokenize {

// Appends its steps. Unsupported: one that is not known, by name.
Result<void> read_normalizer(const JsonElement& value, std::vector<NormalizerStep>* steps);

}  // namespace headrace::tokenize
