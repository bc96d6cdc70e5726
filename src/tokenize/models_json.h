// SPDX-License-Identifier: Apache-2.0
// The "model" of a tokenizer.json that goes the general way: BPE from characters, Unigram,
// WordPiece.
#pragma once

#include <memory>

#include "headrace/result.h"

#include "tokenize/json_fields.h"
#include "tokenize/pipeline.h"
#include "tokenize/tokenizer_impl.h"
#include "tokenize/wordpiece.h"

namespace headrace::tokenize {

// The name of the model; older files do not say it, and it follows from their fields.
Result<std::string> model_type(const JsonObject& model);

// Each fills ids_by_text and bytes_by_id (with the tokens as the file has them).
Result<std::unique_ptr<const PieceModel>> load_char_bpe(const JsonObject& model,
                                                        Tokenizer::Impl* impl);
Result<std::unique_ptr<const PieceModel>> load_unigram(const JsonObject& model,
                                                       Tokenizer::Impl* impl);
Result<std::unique_ptr<const PieceModel>> load_wordpiece(const JsonObject& model,
                                                         Tokenizer::Impl* impl);

std::unique_ptr<const PieceModel> make_wordpiece_model(WordPiece pieces);

}  // namespace headrace::tokenize
