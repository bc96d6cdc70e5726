// SPDX-License-Identifier: Apache-2.0
// The order of one shard set as a function: how many samples were consumed → which sample is next.
//
//   shard   a file with n samples            lane     one of L equal slices of an epoch
//   window  W consecutive positions of a lane
//
// No world size, batch size or worker count enters it, so none can change it.
#pragma once

#include <cstdint>
#include <vector>

#include "shuffle/permutation.h"

namespace headrace::shuffle {

struct OrderOptions {
  std::uint64_t seed = 0;
  bool shuffle = true;          // false: samples in the order of the shards, the same every epoch
  std::uint32_t lanes = 64;     // >= 1; with shuffle only
  std::uint32_t window = 4096;  // >= 1, positions; with shuffle only
};

// One sample.
struct Place {
  std::uint32_t shard = 0;   // ordinal in the shard list
  std::uint64_t sample = 0;  // ordinal in the shard
  bool operator==(const Place&) const = default;
};

class EpochOrder;

// Immutable, thread-safe. Persistent: resume states depend on its values.
class Order {
 public:
  // Samples of each shard, in manifest order; empty shards are allowed and hold no position. The
  // sum is at most Permutation::kMaxSize.
  Order(std::vector<std::uint64_t> shard_samples, const OrderOptions& options);

  std::uint64_t samples() const { return samples_; }  // of an epoch
  const OrderOptions& options() const { return options_; }

  // The layout of one epoch: O(shards) to make, then O(log shards) per sample. It looks at this
  // Order, which must outlive it.
  EpochOrder epoch(std::uint64_t epoch) const;

  // Epoch of the sample that follows `consumed` samples, and its position in the epoch.
  // samples() > 0.
  std::uint64_t epoch_of(std::uint64_t consumed) const { return consumed / samples_; }
  std::uint64_t position_of(std::uint64_t consumed) const { return consumed % samples_; }

 private:
  friend class EpochOrder;
  std::uint64_t lane_start(std::uint64_t lane) const;

  std::vector<std::uint64_t> shard_samples_;
  OrderOptions options_;
  std::uint64_t samples_ = 0;
};

// Thread-safe. Every position of [0, samples) gives another sample: an epoch is exact.
class EpochOrder {
 public:
  // The sample at position `position` < Order::samples() of this epoch.
  Place at(std::uint64_t position) const;
  std::uint64_t epoch() const { return epoch_; }

 private:
  friend class Order;
  EpochOrder(const Order& order, std::uint64_t epoch);
  std::uint64_t shuffled(std::uint64_t position) const;

  const Order* order_;
  std::uint64_t epoch_;
  std::vector<std::uint32_t> shards_;  // those with samples, in this epoch's order
  std::vector<std::uint64_t> starts_;  // starts_[j]: position of the first sample of shards_[j]
};

}  // namespace headrace::shuffle
