// SPDX-License-Identifier: Apache-2.0
// One batch from its rows.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>

#include "headrace/feed.h"
#include "headrace/result.h"

#include "feed/shard_readers.h"
#include "plan/plan.h"

namespace headrace::feed {

// A label that is no target: what PyTorch's and MindSpore's cross entropy ignore.
inline constexpr std::int32_t kNoTarget = -100;

// The segment of padding: no document.
inline constexpr std::int32_t kPadding = -1;

// What a batch is made of: rows of so many tokens.
struct Shape {
  std::uint32_t length = 0;
  bool pads = false;           // samples may be shorter
  std::int32_t pad_token = 0;  // what stands in the place of what they lack
};

// Bytes that a batch of this shape holds, its own bookkeeping included.
std::uint64_t batch_bytes(std::uint32_t rows, std::uint32_t length);

// Reads the rows. Code::kCancelled when `stop` fires between two of them.
Result<Batch> assemble(std::span<const plan::Row> rows, const Shape& shape, ShardReaders& readers,
                       std::stop_token stop);

}  // namespace headrace::feed
