// SPDX-License-Identifier: Apache-2.0
// The tokens of an item, part by part. Private to the room.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "leak/internal/token_text.h"
#include "leak/leak.h"

namespace headrace::leak {

// One text of an item: no n-gram crosses two of them.
struct ItemSequence {
  Part part = Part::kQuestion;
  std::uint32_t text = 0;         // as in ItemPiece
  std::uint32_t first_token = 0;  // in the item
  std::vector<std::uint64_t> prefixes = {};
  std::vector<std::uint8_t> half_units = {};
  std::vector<bool> quoted = {};      // by token; empty when nothing is
  std::vector<TextRange> bytes = {};  // by token, in the text as published

  TokenRow row() const { return {prefixes, half_units}; }
};

struct ItemTokens {
  std::vector<ItemSequence> sequences;  // those with tokens, in the order of Part
  std::uint32_t tokens = 0;
  bool cut = false;  // at IndexBuilder::kMaxItemTokens

  // Equal for items with the same words in the same parts, whatever the order of options.
  Hash128 key() const;
};

ItemTokens tokens_of(const Item& item, TokenText* text);

// Bytes of a leading number and score, which the item's copies need not have: "8．（3分）", "12. ".
std::size_t leading_number_bytes(std::string_view question);

}  // namespace headrace::leak
