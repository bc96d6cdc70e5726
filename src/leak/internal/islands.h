// SPDX-License-Identifier: Apache-2.0
// Where in a document an item may lie. Private to the room.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "leak/internal/grams.h"
#include "leak/internal/index_data.h"

namespace headrace::leak {

// A check gram of the document that the item has too.
struct GramMatch {
  std::uint32_t begin;  // tokens of the document
  std::uint32_t end;
  std::uint32_t key;  // ItemGrams
};

// Matches [first, last) close to each other, in the order of the document.
struct Island {
  std::size_t first;
  std::size_t last;
};

// Finds the matches around seed hits of one item. Single-threaded; memory is kept.
class IslandFinder {
 public:
  // `seeds` are token positions, ascending, all of one group; matches are looked for in tokens
  // [from, to).
  void find(const IndexData& index, const ItemEntry& entry, TokenRow row,
            std::span<const std::uint32_t> seeds, std::uint32_t from, std::uint32_t to,
            std::uint32_t gap_tokens);

  std::span<const GramMatch> matches() const { return matches_; }
  std::span<const Island> islands() const { return islands_; }
  std::uint32_t begin(const Island& island) const { return matches_[island.first].begin; }
  std::uint32_t end(const Island& island) const { return matches_[island.last - 1].end; }

 private:
  void join();

  std::vector<GramMatch> matches_;
  std::vector<Island> islands_;
  std::vector<GramMatch> left_;
};

}  // namespace headrace::leak
