// SPDX-License-Identifier: Apache-2.0
// Whether a main file is the one its sidecar describes: every block, every sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headrace/shard_set.h"

#include "io/random_file.h"
#include "shard/sidecar_index.h"

namespace headrace::shard {

// Damage of one shard on its way into a report. A ruined file would fill the report: after
// kMaxReported finds only the number of the others is told, at destruction.
class DamageList {
 public:
  static constexpr std::uint64_t kMaxReported = 200;

  DamageList(const ShardEntry& entry, std::vector<Damage>* broken)
      : entry_(entry), broken_(broken) {}
  ~DamageList();
  DamageList(const DamageList&) = delete;
  DamageList& operator=(const DamageList&) = delete;

  // `sample` -1: not one sample.
  void add(std::int64_t sample, std::string what);

 private:
  const ShardEntry& entry_;
  std::vector<Damage>* broken_;
  std::uint64_t added_ = 0;
};

// Reads the whole of `main`, once, in blocks.
void check_main_file(const io::RandomFile& main, const SidecarIndex& index, DamageList* damage);

}  // namespace headrace::shard
