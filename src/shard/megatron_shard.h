// SPDX-License-Identifier: Apache-2.0
// The two directions of a Megatron shard; megatron.cc says what it is and registers them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "headrace/result.h"
#include "headrace/shard_set.h"

#include "io/random_file.h"
#include "shard/container.h"
#include "shard/sidecar_index.h"

namespace headrace::shard {

Result<std::unique_ptr<ShardWriter>> create_megatron_writer(const std::string& prefix,
                                                            const ShardOptions& options);

// The files of a shard, opened, once they agree with each other and with the manifest.
struct MegatronShard {
  io::RandomFile main;
  SidecarIndex index;
  std::uint32_t token_width = 0;
  std::string idx_path;
};

Result<MegatronShard> open_megatron_shard(const std::string& folder, const ShardEntry& entry);
Result<std::unique_ptr<ShardReader>> open_megatron_reader(const std::string& folder,
                                                          const ShardEntry& entry);

}  // namespace headrace::shard
