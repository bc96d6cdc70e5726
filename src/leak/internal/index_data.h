// SPDX-License-Identifier: Apache-2.0
// What an index is in memory. Private to the room.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "leak/internal/gram_map.h"
#include "leak/leak.h"

namespace headrace::leak {

// The check grams of one item: hash → its positions in the item. Open addressing over 1.5 places a
// gram; a place holds 32 bits of the hash and the position plus one, 0 is empty.
class ItemGrams {
 public:
  explicit ItemGrams(std::span<const std::uint64_t> places) : places_(places) {}

  static std::size_t places_for(std::size_t grams) { return grams + grams / 2 + 1; }
  static std::uint32_t key(std::uint64_t gram) { return static_cast<std::uint32_t>(gram >> 32); }
  static void add(std::uint32_t key, std::uint32_t position, std::span<std::uint64_t> places) {
    std::size_t at = first(key, places.size());
    while (places[at] != 0) at = at + 1 == places.size() ? 0 : at + 1;
    places[at] = std::uint64_t{key} << 32 | (position + 1);
  }

  bool has(std::uint32_t key) const {
    bool found = false;
    visit(key, [&](std::uint32_t) {
      found = true;
      return false;
    });
    return found;
  }
  // Calls visit(position) for each until it returns false.
  template <class Visit>
  void visit(std::uint32_t key, Visit&& visit) const {
    std::size_t at = first(key, places_.size());
    while (places_[at] != 0) {
      if (places_[at] >> 32 == key && !visit(static_cast<std::uint32_t>(places_[at]) - 1)) return;
      at = at + 1 == places_.size() ? 0 : at + 1;
    }
  }

 private:
  static std::size_t first(std::uint32_t key, std::size_t places) {
    return static_cast<std::size_t>(std::uint64_t{key} * places >> 32);
  }
  std::span<const std::uint64_t> places_;
};

struct ItemGram {
  std::uint32_t key;
  std::uint32_t position;
};

struct ItemEntry {
  std::uint64_t first_token = 0;  // in the arrays by token
  std::uint64_t first_place = 0;
  std::uint32_t tokens = 0;
  std::uint32_t places = 0;
  bool has_seeds = false;
  std::array<double, kParts> totals{};  // weight of each part

  // Question and options, or the passage, weigh enough to be told from chance.
  bool is_checkable() const {
    return totals[0] + totals[1] >= 8 || totals[static_cast<std::size_t>(Part::kPassage)] >= 25;
  }
};

struct IndexData {
  static constexpr std::uint32_t kLastPosting = 0x80000000;
  static constexpr std::uint8_t kLetter = 0x80;  // a token of one letter or digit

  IndexSettings settings;
  IndexStats stats;
  std::vector<Item> items;
  std::vector<ItemEntry> entries;  // by item

  // By token of all items.
  std::vector<std::uint8_t> parts;  // Part, and kLetter
  std::vector<std::uint32_t> token_hashes;
  std::vector<float> weights;
  std::vector<std::uint64_t> places;  // ItemGrams of all items

  // Ascending; seed i stands in the items from postings[seed_postings[i]] to the one marked last.
  std::vector<std::uint64_t> seeds;
  std::vector<std::uint32_t> seed_postings;
  std::vector<std::uint32_t> postings;

  // Made from the above.
  GramMap seed_map;  // seed → place in `postings`
  GramFilter filter;

  std::size_t part(std::uint64_t token) const { return parts[token] & ~kLetter; }

  // Appends the places of an item with these grams to `places`.
  void add_places(std::span<const ItemGram> grams, ItemEntry* entry);
  // Counts totals and statistics of items, and makes the map and the filter.
  void complete();

  ItemGrams grams(const ItemEntry& entry) const {
    return ItemGrams(std::span(places).subspan(entry.first_place, entry.places));
  }
};

}  // namespace headrace::leak
