// SPDX-License-Identifier: Apache-2.0
// Exact duplicates: sort by (view, order of survival); the first of each run of equal views
// survives.
//
// The order of survival is total because ids are unique, so the sorted sequence, and with it the
// result, is a function of the set of entries: not of their order, of threads or of how the input
// was split. A hash map would need a second rule to say which entry came first.
//
// Cost: O(n log n), 40 bytes per document, no allocation but the result.
#include "dedup/exact.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace headrace::dedup {
namespace {

// The smaller survives.
auto survival(const ExactEntry& entry) {
  // Beside being "no score", a NaN would leave the sort without an order.
  const float score =
      std::isnan(entry.score) ? -std::numeric_limits<float>::infinity() : entry.score;
  return std::make_tuple(-score, ~entry.code_points, entry.content, entry.id);
}

}  // namespace

std::vector<ExactDuplicate> find_exact_duplicates(std::span<ExactEntry> entries) {
  std::sort(entries.begin(), entries.end(), [](const ExactEntry& a, const ExactEntry& b) {
    if (a.view != b.view) return a.view < b.view;
    return survival(a) < survival(b);
  });
  std::vector<ExactDuplicate> duplicates;
  const ExactEntry* survivor = nullptr;
  for (const ExactEntry& entry : entries) {
    if (survivor != nullptr && entry.view == survivor->view) {
      duplicates.push_back({entry.id, survivor->id});
    } else {
      survivor = &entry;
    }
  }
  std::sort(duplicates.begin(), duplicates.end(),
            [](const ExactDuplicate& a, const ExactDuplicate& b) { return a.id < b.id; });
  return duplicates;
}

}  // namespace headrace::dedup
