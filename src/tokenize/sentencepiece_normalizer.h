// SPDX-License-Identifier: Apache-2.0
// The normalizer of SentencePiece: a whole text with its dummy prefix.
#pragma once

#include "tokenize/byte_trie.h"
#include "tokenize/charsmap.h"
#include "tokenize/pipeline.h"
#include "tokenize/sentencepiece_model.h"

namespace headrace::tokenize {

// `atoms`: strings that stay as they are.
std::unique_ptr<const Normalizer> make_sentencepiece_normalizer(const SentencePieceModel& model,
                                                                CharsMap map, ByteTrie atoms);

}  // namespace headrace::tokenize
