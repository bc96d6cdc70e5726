// SPDX-License-Identifier: Apache-2.0
// Byte-pair merging of long pieces in linear time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/big_table.h"
#include "tokenize/byte_bpe.h"

namespace headrace::tokenize {

// Room for one piece at a time, and what was found out about neighbours. Single-threaded.
struct BacktrackScratch {
  std::vector<std::uint64_t> dead;  // a bit per place of the piece
  BigTable<std::uint64_t> neighbours;
};

// Immutable after construction: thread-safe.
class Backtracker {
 public:
  // `tokens[id]`: the bytes of an entry that its own bytes are merged to, and made_by[id] the last
  // of these merges (kNone for single bytes); empty for all others. A merge must rank behind those
  // that made its two sides; entries for which that is not so, and what is made of them, are not
  // among the tokens, and the former are `unordered`.
  Backtracker(const ByteBpe& bpe, std::span<const std::string_view> tokens,
              std::span<const DoneMerge> made_by, std::vector<std::string_view> unordered);

  // Whether none of `unordered` is in the piece: only then merge() is right.
  bool is_for(std::string_view piece) const;

  // As ByteBpe::merge(), with the same result.
  std::size_t merge(std::string_view piece, BacktrackScratch* scratch, std::uint32_t* ids) const;

 private:
  class Run;

  std::uint32_t child(std::uint32_t node, std::uint8_t byte) const;
  std::uint32_t add_child(std::uint32_t node, std::uint8_t byte);
  void put_child(std::uint64_t key, std::uint32_t child);
  void resize_children(std::size_t most_nodes);
  void add_token(std::uint32_t id, std::string_view bytes);
  std::uint32_t longest(const std::uint8_t* p, const std::uint8_t* end) const;
  bool stay_apart(std::uint32_t left, std::uint32_t right) const;

  const ByteBpe& bpe_;
  std::vector<std::string_view> unordered_;
  std::vector<bool> begins_unordered_;  // by the first two bytes
  std::vector<DoneMerge> made_by_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::uint32_t> shorter_;  // the longest token that is a prefix of this one
  std::uint32_t longest_ = 1;
  // A trie: its second level by two bytes, the rest by hash: node << 8 | byte → node.
  std::vector<std::uint32_t> second_level_;
  BigTable<std::uint64_t> children_;
  std::uint64_t children_mask_ = 0;
  std::vector<std::uint32_t> ends_ = {kNone};  // node → token that ends there
};

}  // namespace headrace::tokenize
