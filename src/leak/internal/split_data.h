// SPDX-License-Identifier: Apache-2.0
// What a split index is in memory. Private to the room.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "leak/internal/gram_map.h"
#include "leak/own_split.h"

namespace headrace::leak {

struct SplitData {
  SplitSettings settings;
  SplitStats stats;
  std::vector<std::string> ids;
  std::vector<std::uint64_t> grams;        // ascending
  std::vector<std::uint32_t> firsts;       // into postings, one more than grams
  std::vector<std::uint32_t> postings;     // documents
  std::vector<std::uint32_t> frequencies;  // reference documents, by gram

  // Made from the above.
  GramMap map;
  GramFilter filter;
  std::vector<double> totals;  // weight of a document's fingerprints

  void complete();
  std::span<const std::uint32_t> documents(std::uint32_t gram) const {
    return std::span(postings).subspan(firsts[gram], firsts[gram + 1] - firsts[gram]);
  }
  double weight(std::uint32_t gram) const {
    const double others = firsts[gram + 1] - firsts[gram] - 1.0 + frequencies[gram];
    return 1 / (1 + settings.frequency_factor * others);
  }
};

}  // namespace headrace::leak
