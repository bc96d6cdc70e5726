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

// Bytes that a batch of this shape holds, its own bookkeeping included.
std::uint64_t batch_bytes(std::uint32_t rows, std::uint32_t length);

// Reads the rows. Code::kCancelled when `stop` fires between two of them.
Result<Batch> assemble(std::span<const plan::Row> rows, std::uint32_t length, ShardReaders& readers,
                       std::stop_token stop);

}  // namespace headrace::feed
