// SPDX-License-Identifier: Apache-2.0
// A token budget → which documents of a domain go in.
//
// Documents stand in the order of a keyed hash of their ids, and a prefix of that order is taken:
// a sample without bias to place, length or source, that no order of the candidates changes. A
// larger budget takes the same documents and more, so raising `total_tokens` keeps what was chosen.
//
// The prefix ends at the budget; the document that would pass it is taken only if that lands
// nearer, so the domain's tokens differ from its budget by at most half that document.
//
// Cost: a sort of 24 bytes per document.
#include <algorithm>

#include "base/counter_rng.h"
#include "mix/mix.h"

namespace headrace::mix {

std::vector<bool> choose_documents(std::span<const Candidate> candidates,
                                   std::uint64_t budget_tokens, std::uint64_t seed) {
  Uint128 all = 0;
  for (const Candidate& candidate : candidates) all += candidate.tokens;
  if (all <= budget_tokens) return std::vector<bool>(candidates.size(), true);

  struct Place {
    std::uint64_t key;
    std::uint64_t id;  // the key is a bijection of the id; ids decide only if one came twice
    std::size_t index;
  };
  const CounterRng rng(seed, purpose("mix"));
  std::vector<Place> order;
  order.reserve(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    order.push_back({rng.at(candidates[i].id), candidates[i].id, i});
  }
  std::sort(order.begin(), order.end(), [](const Place& a, const Place& b) {
    return a.key != b.key ? a.key < b.key : a.id < b.id;
  });

  std::vector<bool> chosen(candidates.size(), false);
  std::uint64_t left = budget_tokens;
  for (const Place& place : order) {
    const std::uint64_t tokens = candidates[place.index].tokens;
    if (left == 0) break;
    if (tokens > left) {
      chosen[place.index] = tokens - left < left;
      break;
    }
    chosen[place.index] = true;
    left -= tokens;
  }
  return chosen;
}

}  // namespace headrace::mix
