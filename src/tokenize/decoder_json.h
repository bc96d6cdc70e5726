// SPDX-License-Identifier: Apache-2.0
// The "decoder" of a tokenizer.json, applied to each token of the vocabulary once.
#pragma once

#include "headrace/result.h"

#include "tokenize/json_fields.h"
#include "tokenize/tokenizer_impl.h"

namespace headrace::tokenize {

// Changes the tokens of bytes_by_id to the bytes that they decode to, and sets blanks_to_strip.
// Unsupported: a decoder that is not known, by name.
Result<void> apply_decoder(const JsonObject& root, Tokenizer::Impl* impl);

// A token of WordPiece → its bytes: what continues a word loses its prefix, what begins one gets a
// blank; `cleans`: but not before punctuation.
void join_word(std::string* token, std::string_view prefix, bool cleans);

}  // namespace headrace::tokenize
