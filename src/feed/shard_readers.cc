// SPDX-License-Identifier: Apache-2.0
// Shards are opened outside the lock: opening reads the sidecar, and the other threads have work.
// Two threads may open the same shard at once; the second one's work is thrown away.
#include "feed/shard_readers.h"

#include <utility>

namespace headrace::feed {

ShardReaders::ShardReaders(std::string folder, std::vector<ShardEntry> entries,
                           const shard::ContainerInfo& container, const ReaderLimits& limits)
    : folder_(std::move(folder)),
      entries_(std::move(entries)),
      container_(container),
      limits_(limits) {}

Result<ShardReaders::Reader> ShardReaders::get(std::uint32_t shard) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = by_shard_.find(shard); found != by_shard_.end()) {
      open_.splice(open_.begin(), open_, found->second);
      return found->second->reader;
    }
  }
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<shard::ShardReader> opened,
                            container_.open(folder_, entries_[shard]));
  const Reader reader = std::move(opened);
  const std::lock_guard lock(mutex_);
  if (!by_shard_.contains(shard)) keep(shard, reader);
  return reader;
}

void ShardReaders::keep(std::uint32_t shard, const Reader& reader) {
  index_bytes_ += reader->memory_bytes();
  open_.push_front({shard, reader});
  by_shard_[shard] = open_.begin();
  // The newest stays, however large it is.
  while (open_.size() > 1 &&
         (open_.size() > limits_.shards || index_bytes_ > limits_.index_bytes)) {
    index_bytes_ -= open_.back().reader->memory_bytes();
    by_shard_.erase(open_.back().shard);
    open_.pop_back();
  }
}

void ShardReaders::clear() {
  const std::lock_guard lock(mutex_);
  open_.clear();
  by_shard_.clear();
  index_bytes_ = 0;
}

std::size_t ShardReaders::open_shards() const {
  const std::lock_guard lock(mutex_);
  return open_.size();
}

}  // namespace headrace::feed
