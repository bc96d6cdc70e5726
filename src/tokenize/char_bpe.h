// SPDX-License-Identifier: Apache-2.0
// Byte-pair merging from characters: SentencePiece's BPE, its conversions to tokenizer.json, and
// byte-level vocabularies that ByteBpe does not take (suffixes of words, bytes that are missing).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "tokenize/byte_trie.h"
#include "tokenize/junctions.h"
#include "tokenize/pipeline.h"

namespace headrace::tokenize {

// What a file says.
struct CharBpeSpec {
  struct Merge {
    std::uint32_t left = 0;
    std::uint32_t right = 0;
    std::uint32_t merged = 0;
    std::uint32_t rank = 0;  // lower goes first; of equals the leftmost
  };

  // Whose rules for characters that are no piece.
  enum class Kind { kTokenizers, kSentencePiece };

  Kind kind = Kind::kTokenizers;
  std::unordered_map<std::string, std::uint32_t> ids;  // pieces that text can become
  std::vector<Merge> merges;                           // of two of one pair the later counts
  std::string suffix;                                  // of the last character of a piece
  std::optional<std::uint32_t> unknown;
  bool fuse_unknown = false;
  // The ids of <0x00> to <0xFF>: what becomes of a character that is no piece.
  std::array<std::optional<std::uint32_t>, 256> bytes{};
  bool whole_first = false;  // a piece that has an id is not merged
  ByteTrie atoms;            // strings that stand for themselves and merge with nothing
  // Ids from here on are of characters that are parts of pieces but no pieces themselves.
  std::uint32_t first_helper = 0xFFFFFFFF;
};

std::unique_ptr<const PieceModel> make_char_bpe(CharBpeSpec spec);

}  // namespace headrace::tokenize
