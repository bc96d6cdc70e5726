// SPDX-License-Identifier: Apache-2.0
// Sorting by (hash, id, begin) makes each piece a run whose first entry stays, whatever order the
// entries came in. A hash map would need a second rule to say who came first, and more memory.
#include "dedup/repeats.h"

#include <algorithm>
#include <tuple>

namespace headrace::dedup {

void find_repeats(std::span<Occurrence> occurrences, std::vector<Repeat>* repeats) {
  std::sort(occurrences.begin(), occurrences.end(), [](const Occurrence& a, const Occurrence& b) {
    return std::tie(a.hash.high, a.hash.low, a.id, a.begin) <
           std::tie(b.hash.high, b.hash.low, b.id, b.begin);
  });
  const Occurrence* first = nullptr;
  for (const Occurrence& piece : occurrences) {
    if (first == nullptr || piece.hash != first->hash) {
      first = &piece;
      continue;
    }
    if (piece.id == first->id && piece.begin < first->end) continue;
    repeats->push_back({.id = piece.id,
                        .begin = piece.begin,
                        .end = piece.end,
                        .first_id = first->id,
                        .first_begin = first->begin});
  }
}

}  // namespace headrace::dedup
