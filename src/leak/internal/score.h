// SPDX-License-Identifier: Apache-2.0
// How much of an item an island holds, and what follows. Private to the room.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "leak/internal/grams.h"
#include "leak/internal/index_data.h"
#include "leak/internal/islands.h"

namespace headrace::leak {

// What is there of an item, in weight.
struct Covered {
  std::array<double, kParts> parts{};
  double run = 0;  // longest stretch without a gap inside one part
  double gap = 0;  // longest stretch of the question that is not there
  double density = 0;
};

// Maps the tokens of an item to those of a document. Single-threaded; memory is kept.
class Cover {
 public:
  // Tokens that the matches cover, then single ones left over between edits (fill).
  Covered take(const IndexData& index, const ItemEntry& entry, TokenRow row,
               std::span<const GramMatch> matches);

  // Of the last take(): positions of the item that are covered, ascending, and where in the
  // document each stands.
  const std::vector<std::uint32_t>& item_tokens() const { return covered_; }
  std::uint32_t document_token(std::uint32_t item_token) const { return places_[item_token]; }

 private:
  bool is_covered(std::uint32_t position) const { return stamps_[position] == stamp_; }
  void cover(std::uint32_t position, std::uint32_t place);
  void fill(const IndexData& index, const ItemEntry& entry, TokenRow row, int step);

  std::vector<std::uint32_t> stamps_;  // by item token: covered if it is stamp_
  std::vector<std::uint32_t> places_;
  std::vector<std::uint32_t> covered_;
  std::uint32_t stamp_ = 0;
};

struct Judged {
  Verdict verdict;
  View view;
  double ratio;
  double mass;
};

// The view that clears its bound by most, if one does; with `settings.keep_all` the one that comes
// nearest.
std::optional<Judged> judge(const ScanSettings& settings, const std::array<double, kParts>& totals,
                            const Covered& covered);

}  // namespace headrace::leak
