// SPDX-License-Identifier: Apache-2.0
// What all encoders of a byte-level BPE tokenizer share, beside its merges: made from them once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tokenize/backtrack.h"
#include "tokenize/byte_bpe.h"
#include "tokenize/piece_cache.h"

namespace headrace::tokenize {

// Immutable after construction: thread-safe.
class BpeTables {
 public:
  using WholePieces = std::unordered_map<std::string, std::uint32_t>;

  // `bytes_by_id`: vocabulary and added tokens. `unreachable`: pieces that have another id than
  // merging makes, if they are whole. All must outlive this object.
  BpeTables(const ByteBpe& bpe, std::span<const std::optional<std::string>> bytes_by_id,
            const WholePieces& unreachable);

  // Puts what is in the vocabulary into a new cache, so that the most frequent stays.
  void seed(PieceCache* cache) const;

  // The id of the character of three bytes at p, kNone if it is more than one. Merging may begin
  // with these where no entry crosses a junction of the piece with a part of a character.
  std::uint32_t character_id(const std::uint8_t* p) const {
    return character_ids_[character_place(p)];
  }

  // The merges that are ever done.
  const ByteBpe& bpe() const { return *reduced_; }

  // Null if too many merges do not have the order it needs.
  const Backtracker* backtracker() const { return backtracker_ ? &*backtracker_ : nullptr; }

 private:
  struct Seed {
    PieceCache::Key key;
    std::uint32_t count;
    std::uint32_t ids[PieceCache::kMostShortIds];
  };

  void reduce(std::span<DoneMerge> made_by);
  void make_backtracker(std::vector<std::string_view> tokens, std::span<const DoneMerge> made_by);
  void forget_characters(std::string_view token);
  static std::size_t character_place(const std::uint8_t* p) {
    return static_cast<std::size_t>((p[0] & 15) << 12 | (p[1] & 63) << 6 | (p[2] & 63));
  }
  void add_seed(std::string_view piece, std::span<const std::uint32_t> ids);

  const ByteBpe& bpe_;
  const WholePieces& unreachable_;
  std::optional<ByteBpe> reduced_;
  std::vector<Seed> seeds_;
  std::vector<std::pair<std::string_view, std::uint32_t>> long_seeds_;
  std::vector<std::uint32_t> character_ids_;
  std::optional<Backtracker> backtracker_;
};

}  // namespace headrace::tokenize
