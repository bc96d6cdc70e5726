// SPDX-License-Identifier: Apache-2.0
// The "model" of a tokenizer.json: vocabulary and merges.
#pragma once

#include "headrace/result.h"

#include "tokenize/json_fields.h"
#include "tokenize/tokenizer_impl.h"

namespace headrace::tokenize {

// Fills ids_by_text, bytes_by_id, bpe, junctions and unreachable.
Result<void> load_model(const JsonElement& model, Tokenizer::Impl* impl);

// The "merges" of a BPE model, by the ids of their tokens.
Result<std::vector<Merge>> read_merges(const JsonObject& model,
                                       const Tokenizer::Impl::Ids& ids_by_text);

}  // namespace headrace::tokenize
