// SPDX-License-Identifier: Apache-2.0
// One entry of the "added_tokens" of a tokenizer.json.
#pragma once

#include "headrace/result.h"

#include "tokenize/added_tokens.h"
#include "tokenize/json_fields.h"

namespace headrace::tokenize {

// *id: what the file says; AddedToken::id stays 0.
Result<AddedToken> read_added_token(const JsonElement& value, std::uint64_t* id);

// tokenizers does not believe the "id" of a file: a content that is in the vocabulary has that id,
// others are numbered on from the end. A file that says otherwise would give other ids to whoever
// believes it, so it is refused.
Result<void> check_added_id(const AddedToken& token, std::uint64_t id, std::uint64_t given);

}  // namespace headrace::tokenize
