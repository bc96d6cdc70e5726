// SPDX-License-Identifier: Apache-2.0
// What a WordPiece file says, in the form that encoding uses.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "tokenize/added_tokens.h"
#include "tokenize/bert_normalizer.h"
#include "tokenize/json_fields.h"
#include "tokenize/wordpiece.h"

namespace headrace::tokenize {

struct WordPieceFile {
  WordPiece model;
  std::optional<BertNormalizerOptions> normalizer;
  AddedTokenMatcher raw_added;         // matched in the text as it comes
  AddedTokenMatcher normalized_added;  // matched behind the normalizer
  std::size_t vocabulary_size = 0;
  std::vector<std::int64_t> before;  // the post-processor: [CLS]
  std::vector<std::int64_t> behind;  // [SEP]
  std::int64_t padding_id = 0;
  std::optional<std::size_t> max_length;
};

// Errors do not name the file.
Result<WordPieceFile> parse_wordpiece_json(std::string_view json);
// Parts of it. `vocabulary_size`: the highest id + 1, if it is more than that.
Result<WordPiece> read_wordpiece_model(const JsonObject& model, std::size_t* vocabulary_size);
Result<BertNormalizerOptions> read_bert_normalizer(const JsonObject& object);
// One token a line; its id is the number of the line. [UNK], [CLS] and [SEP] must be there.
Result<WordPieceFile> parse_vocabulary(std::string_view lines, bool lowercase);

}  // namespace headrace::tokenize
