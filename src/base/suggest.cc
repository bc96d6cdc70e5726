// SPDX-License-Identifier: Apache-2.0
#include "base/suggest.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/quote.h"

namespace headrace {
namespace {

// Nobody mistypes a longer one, and the cost grows with the square of it.
constexpr std::size_t kLongestWord = 100;
constexpr std::size_t kMostKnown = 100;

// Optimal string alignment distance: insert, delete, replace, swap neighbours.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      cost[i][j] = std::min(
          {cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.size() > kLongestWord) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (const std::string near = nearest(word, candidates); !near.empty()) {
    return fmt::format("; did you mean '{}'?", near);
  }
  return fmt::format("; known: {}", excerpts(candidates, kMostKnown));
}

}  // namespace headrace
