// SPDX-License-Identifier: Apache-2.0
// Sorting by (hash, id, begin) makes each piece a run whose first entry stays, whatever order the
// entries came in. A hash map would need a second rule to say who came first, and more memory.
#include "dedup/repeats.h"

#include <algorithm>
#include <tuple>

namespace headrace::dedup {
namespace {

bool before(const Repeat& a, const Repeat& b) {
  return std::tie(a.id, a.begin) < std::tie(b.id, b.begin);
}

}  // namespace

void find_repeats(std::span<Occurrence> occurrences, std::vector<Repeat>* repeats,
                  std::vector<Occurrence>* rest) {
  std::sort(occurrences.begin(), occurrences.end(), [](const Occurrence& a, const Occurrence& b) {
    return std::tie(a.hash.high, a.hash.low, a.id, a.begin) <
           std::tie(b.hash.high, b.hash.low, b.id, b.begin);
  });
  const Occurrence* first = nullptr;
  for (const Occurrence& piece : occurrences) {
    if (first == nullptr || piece.hash != first->hash) first = &piece;
    if (piece.id == first->id && piece.begin < first->end) {
      rest->push_back(piece);
      continue;
    }
    repeats->push_back({.id = piece.id,
                        .begin = piece.begin,
                        .end = piece.end,
                        .first_id = first->id,
                        .first_begin = first->begin});
  }
}

void join_own_repeats(std::vector<Repeat>* repeats) {
  std::sort(repeats->begin(), repeats->end(), before);
  std::size_t size = 0;
  for (const Repeat& repeat : *repeats) {
    Repeat* const last = size > 0 ? &(*repeats)[size - 1] : nullptr;
    const bool joins = last != nullptr && last->id == repeat.id && last->first_id == last->id &&
                       repeat.first_id == repeat.id && repeat.begin <= last->end;
    if (joins) {
      last->end = std::max(last->end, repeat.end);
    } else {
      (*repeats)[size++] = repeat;
    }
  }
  repeats->resize(size);
}

void resolve_chains(std::vector<Repeat>* repeats) {
  std::sort(repeats->begin(), repeats->end(), before);
  // A first stands before its repeats, so it is resolved already.
  for (Repeat& repeat : *repeats) {
    const Repeat first = {.id = repeat.first_id, .begin = repeat.first_begin};
    const auto found = std::lower_bound(repeats->begin(), repeats->end(), first, before);
    if (found == repeats->end() || found->id != first.id || found->begin != first.begin) continue;
    repeat.first_id = found->first_id;
    repeat.first_begin = found->first_begin;
  }
}

}  // namespace headrace::dedup
