// SPDX-License-Identifier: Apache-2.0
// Which sequences go through a model together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headrace::score {

// Sequences are padded to a multiple of this many tokens, or to the longest that is allowed.
inline constexpr std::size_t kPaddedTo = 16;

// The length that a sequence is padded to. It depends on nothing else: the sums inside a model may
// be added in another order when a row has another length, never because of the rows beside it.
std::size_t padded_length(std::size_t tokens, std::size_t max_length);

struct SequenceBatch {
  std::size_t length = 0;           // of every row
  std::vector<std::uint32_t> rows;  // places in `tokens`
};

// All of `tokens` (ids of each sequence, 1 or more) in batches of one padded length, of at most
// batch_tokens ids with their padding and at least one row; long sequences first, so that a model
// allocates once.
std::vector<SequenceBatch> batches_by_length(std::span<const std::size_t> tokens,
                                             std::size_t max_length, std::size_t batch_tokens);

}  // namespace headrace::score
