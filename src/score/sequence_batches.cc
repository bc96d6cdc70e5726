// SPDX-License-Identifier: Apache-2.0
#include "score/sequence_batches.h"

#include <algorithm>
#include <numeric>

namespace headrace::score {

std::size_t padded_length(std::size_t tokens, std::size_t max_length) {
  return std::min((tokens + kPaddedTo - 1) / kPaddedTo * kPaddedTo, max_length);
}

std::vector<SequenceBatch> batches_by_length(std::span<const std::size_t> tokens,
                                             std::size_t max_length, std::size_t batch_tokens) {
  std::vector<std::uint32_t> order(tokens.size());
  std::iota(order.begin(), order.end(), 0);
  const auto padded = [&](std::uint32_t row) { return padded_length(tokens[row], max_length); };
  std::ranges::stable_sort(order, std::greater(), padded);
  std::vector<SequenceBatch> batches;
  for (const std::uint32_t row : order) {
    const std::size_t length = padded(row);
    const bool fits = !batches.empty() && batches.back().length == length &&
                      (batches.back().rows.size() + 1) * length <= batch_tokens;
    if (!fits) batches.push_back({.length = length, .rows = {}});
    batches.back().rows.push_back(row);
  }
  return batches;
}

}  // namespace headrace::score
