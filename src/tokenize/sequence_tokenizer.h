// SPDX-License-Identifier: Apache-2.0
// The tokenizers of BERT and its like, from a tokenizer.json with a WordPiece model or a vocab.txt.
#pragma once

#include "record/sequence_tokenizer.h"

namespace headrace::tokenize {

// What the driver hands to `score`.
const SequenceTokenizers& sequence_tokenizers();

}  // namespace headrace::tokenize
