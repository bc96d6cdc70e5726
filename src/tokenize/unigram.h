// SPDX-License-Identifier: Apache-2.0
// Unigram: of all ways to put a text together from pieces, the likeliest.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tokenize/byte_trie.h"
#include "tokenize/pipeline.h"

namespace headrace::tokenize {

// What a file says.
struct UnigramSpec {
  struct Piece {
    double score = 0;  // logarithm of its probability
    bool is_user_defined = false;
  };
  std::vector<Piece> pieces;  // by id
  ByteTrie trie;              // text → id of the pieces that text can become
  std::optional<std::uint32_t> unknown;
  double unknown_score = 0;
  double user_defined_score = 0;  // for each byte
  // The ids of <0x00> to <0xFF>: what becomes of unknown characters.
  std::array<std::optional<std::uint32_t>, 256> bytes{};
  // What an unknown stretch that is a piece all the same becomes, as tokenizers has it.
  bool looks_up_unknown = false;
  // Sums in 32 bits, as SentencePiece has them, or in 64, as tokenizers has them.
  bool single_precision = false;
};

std::unique_ptr<const PieceModel> make_unigram(UnigramSpec spec);

}  // namespace headrace::tokenize
