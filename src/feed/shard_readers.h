// SPDX-License-Identifier: Apache-2.0
// The open shards of a set: opened when first read, the least recently used closed again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "headrace/result.h"
#include "headrace/shard_set.h"

#include "shard/container.h"

namespace headrace::feed {

// What may be open at once. A set may have 10,000 shards; a rank works on a few per lane.
struct ReaderLimits {
  std::uint64_t index_bytes = 256 << 20;
  std::size_t shards = 512;  // file descriptors: half of the usual soft limit
};

// Thread-safe. The container and the folder are those of the manifest.
class ShardReaders {
 public:
  using Reader = std::shared_ptr<const shard::ShardReader>;

  ShardReaders(std::string folder, std::vector<ShardEntry> entries,
               const shard::ContainerInfo& container, const ReaderLimits& limits = {});

  // A reader stays valid for whoever holds it, also when it has been dropped here.
  Result<Reader> get(std::uint32_t shard);

  // Closes all, so that files which were replaced are opened anew.
  void clear();

  std::size_t open_shards() const;

 private:
  struct Open {
    std::uint32_t shard;
    Reader reader;
  };

  void keep(std::uint32_t shard, const Reader& reader);

  const std::string folder_;
  const std::vector<ShardEntry> entries_;
  const shard::ContainerInfo& container_;
  const ReaderLimits limits_;

  mutable std::mutex mutex_;
  // Front: used last. by_shard_ points into it; index_bytes_ is the sum over it.
  std::list<Open> open_;
  std::unordered_map<std::uint32_t, std::list<Open>::iterator> by_shard_;
  std::uint64_t index_bytes_ = 0;
};

}  // namespace headrace::feed
