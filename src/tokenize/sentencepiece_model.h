// SPDX-License-Identifier: Apache-2.0
// What a SentencePiece `.model` says: the few fields that ids depend on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::tokenize {

enum PieceType : std::uint64_t {  // part of the format
  kNormal = 1,
  kUnknown = 2,
  kControl = 3,
  kUserDefined = 4,
  kUnused = 5,
  kByte = 6,
};

struct SentencePieceModel {
  struct Piece {
    std::string text;
    float score = 0;
    std::uint64_t type = kNormal;
  };
  std::vector<Piece> pieces;
  std::uint64_t type = 1;  // 1: unigram, 2: BPE
  bool byte_fallback = false;
  bool whitespace_as_suffix = false;
  std::string_view charsmap;  // looks into the bytes of the file
  bool dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
};

// Corrupt: a file that is cut off or damaged.
Result<SentencePieceModel> read_sentencepiece_model(std::string_view bytes);

}  // namespace headrace::tokenize
