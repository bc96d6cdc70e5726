// SPDX-License-Identifier: Apache-2.0
// A tokenizer.json that goes the general way.
#pragma once

#include "headrace/result.h"

#include "tokenize/json_fields.h"
#include "tokenize/tokenizer_impl.h"

namespace headrace::tokenize {

// Fills an Impl from normalizer, pre_tokenizer, model and decoder. Unsupported: a part that is not
// known, by name.
Result<void> load_pipeline(const JsonObject& root, Tokenizer::Impl* impl);

// The byte-level BPE that `impl` holds, as the model of its pipeline.
std::unique_ptr<const PieceModel> make_byte_model(const Tokenizer::Impl* impl);

}  // namespace headrace::tokenize
