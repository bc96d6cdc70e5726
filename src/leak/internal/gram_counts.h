// SPDX-License-Identifier: Apache-2.0
// In how many items and documents each n-gram of the items stands. Private to the room.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "leak/internal/gram_map.h"
#include "leak/internal/grams.h"
#include "leak/internal/item_tokens.h"

namespace headrace::leak {

// Distinct n-grams of all items, how many items have each, and in how many documents they stand.
struct GramCounts {
  std::vector<std::uint64_t> grams;  // ascending
  std::vector<std::uint32_t> items;
  std::vector<std::uint32_t> documents;
  GramMap map;
  GramFilter filter;

  GramCounts() = default;
  GramCounts(const std::vector<ItemTokens>& tokens, std::uint32_t half_units) {
    std::vector<std::pair<std::uint64_t, std::uint32_t>> found;  // n-gram, item
    for (std::uint32_t i = 0; i < tokens.size(); ++i) {
      for (const ItemSequence& sequence : tokens[i].sequences) {
        for_each_gram(
            sequence.row(), half_units,
            [&](std::uint64_t gram, std::size_t, std::size_t) { found.emplace_back(gram, i); });
      }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const auto& [gram, item] : found) {
      if (grams.empty() || grams.back() != gram) {
        grams.push_back(gram);
        items.push_back(0);
      }
      ++items.back();
    }
    documents.resize(grams.size());
    map = GramMap(grams.size());
    filter = GramFilter(grams.size());
    for (std::uint32_t i = 0; i < grams.size(); ++i) {
      map.add(grams[i], i);
      filter.add(grams[i]);
    }
  }
  std::uint32_t at(std::uint64_t gram) const { return map.find(gram); }
};

// Of one counter: documents by n-gram, and the last document that counted.
struct DocumentCounts {
  std::vector<std::uint32_t> documents;
  std::vector<std::uint32_t> last;

  explicit DocumentCounts(std::size_t grams) : documents(grams), last(grams) {}
  void add(const GramCounts& counts, TokenRow row, std::uint32_t half_units,
           std::uint32_t document) {
    for_each_gram(row, half_units, [&](std::uint64_t gram, std::size_t, std::size_t) {
      if (!counts.filter.may_have(gram)) return;
      const std::uint32_t at = counts.at(gram);
      if (at == GramMap::kNone || last[at] == document) return;
      last[at] = document;
      ++documents[at];
    });
  }
};

}  // namespace headrace::leak
