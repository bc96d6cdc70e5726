// SPDX-License-Identifier: Apache-2.0
// The places of a text's tokens, sorted by the n-gram that ends there, read from its end: all
// n-grams of each order are runs of this one list, those that end alike side by side.
#pragma once

#include <cstdint>
#include <stop_token>
#include <vector>

namespace headrace::score::internal {

inline constexpr std::uint32_t kSentenceBegin = 1;

struct SortedTokens {
  std::vector<std::uint32_t> places;  // but for those of <s>
  // Tokens that the n-gram ending here shares with the one before in the list, from the end; up to
  // the order.
  std::vector<std::uint8_t> shared;
  std::vector<std::uint8_t> length;  // tokens back to <s>, both counted; up to the order
};

// `tokens`: sentences, each led by kSentenceBegin; numbers below `words`, 0 not among them. 8 bytes
// a token are made, and 16 for each place of the most frequent token while sorting. Stopped, it is
// of no use.
SortedTokens sort_tokens(const std::vector<std::uint32_t>& tokens, std::uint32_t words, int order,
                         const std::stop_token& stop);

}  // namespace headrace::score::internal
