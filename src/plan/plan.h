// SPDX-License-Identifier: Apache-2.0
// Who reads what when: manifest + seed + world → the samples of one rank at one step.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.h"
#include "headrace/shard_set.h"

#include "shuffle/order.h"

namespace headrace::plan {

struct PlanOptions {
  shuffle::OrderOptions order;
  std::optional<std::uint64_t> epochs;  // nothing = for ever
};

// Who asks. Not part of the order: the next step may be asked for by another world.
struct World {
  std::uint32_t batch = 1;  // samples per rank; the global batch is batch * world
  std::uint32_t rank = 0;
  std::uint32_t world = 1;

  std::uint64_t global_batch() const { return std::uint64_t{batch} * world; }
};

// batch, world > 0 and rank < world; errors name the field.
Result<void> validate(const World& world);

struct Row {
  std::uint32_t shard = 0;    // ordinal in Manifest::shards
  std::uint64_t sample = 0;   // ordinal in the shard
  std::uint64_t ordinal = 0;  // in the set, manifest order
  bool operator==(const Row&) const = default;
};

// Thread-safe; not movable.
class Plan {
 public:
  static Result<std::unique_ptr<Plan>> make(const Manifest& manifest, const PlanOptions& options);

  std::uint64_t samples() const { return order_.samples(); }  // per epoch
  // The number of consumed samples at which everything has been read.
  std::uint64_t end() const { return end_; }
  const std::string& fingerprint() const { return fingerprint_; }

  // Consumed samples after the global batch that begins at `consumed` <= end(). Batches run across
  // the ends of epochs; only the very last may be smaller.
  std::uint64_t next(std::uint64_t consumed, const World& world) const;

  // Replaces `rows` by what the rank reads in that batch, in the order of the sequence. All ranks
  // together: exactly the samples `consumed` … next() - 1 of the sequence. Ranks get `batch` rows
  // each; of the last batch they get shares that differ by at most one, which may be none.
  void rows(std::uint64_t consumed, const World& world, std::vector<Row>* rows) const;

 private:
  using Layout = std::shared_ptr<const shuffle::EpochOrder>;

  Plan(const Manifest& manifest, const PlanOptions& options);
  Layout layout(std::uint64_t epoch) const;

  const shuffle::Order order_;
  const std::string fingerprint_;
  std::vector<std::uint64_t> first_ordinal_;  // of each shard
  std::uint64_t end_ = 0;
  mutable std::mutex mutex_;
  mutable std::vector<Layout> layouts_;  // of the epochs asked for last
};

}  // namespace headrace::plan
