// SPDX-License-Identifier: Apache-2.0
// The sequence of samples is a function of a counter (shuffle/order.h); a step is an interval of
// that counter; a rank's share of it is dealt by lane (shuffle/deal.h). So a plan has no state:
// resuming is asking for another interval, and another world asks for other shares of the same
// intervals.
//
// The layout of an epoch (its shards in order) takes O(shards) to make and is asked for by every
// reader thread all the time; the last few are kept.
#include "plan/plan.h"

#include <algorithm>
#include <limits>

#include "base/counter_rng.h"
#include "base/error.h"
#include "plan/fingerprint.h"
#include "shuffle/deal.h"

namespace headrace::plan {
namespace {

constexpr std::size_t kKeptLayouts = 4;
constexpr std::uint64_t kForEver = std::numeric_limits<std::uint64_t>::max();

std::vector<std::uint64_t> shard_samples(const Manifest& manifest) {
  std::vector<std::uint64_t> samples;
  for (const ShardEntry& shard : manifest.shards) samples.push_back(shard.samples);
  return samples;
}

}  // namespace

Result<void> validate(const World& world) {
  if (world.batch == 0) return invalid_argument("batch is 0: at least one sample per rank");
  if (world.world == 0) return invalid_argument("world is 0: at least one rank");
  if (world.rank >= world.world) {
    return invalid_argument("rank is {} of a world of {}: ranks count from 0 to {}", world.rank,
                            world.world, world.world - 1);
  }
  return {};
}

Result<std::unique_ptr<Plan>> Plan::make(const Manifest& manifest, const PlanOptions& options) {
  if (options.order.lanes == 0) return invalid_argument("lanes is 0: at least 1");
  if (options.order.window == 0) return invalid_argument("window is 0: at least 1 position");
  if (options.epochs == 0U) {
    return invalid_argument("epochs is 0: at least 1, or nothing for no end");
  }
  Uint128 samples = 0;
  for (const ShardEntry& shard : manifest.shards) samples += shard.samples;
  if (samples == 0) return invalid_argument("the set is empty: no shard has a sample");
  if (samples > shuffle::Permutation::kMaxSize ||
      manifest.shards.size() > std::numeric_limits<std::uint32_t>::max()) {
    return unsupported("the set has more than {} samples or 2^32 shards",
                       shuffle::Permutation::kMaxSize);
  }
  return std::unique_ptr<Plan>(new Plan(manifest, options));
}

Plan::Plan(const Manifest& manifest, const PlanOptions& options)
    : order_(shard_samples(manifest), options.order),
      fingerprint_(plan::fingerprint(manifest, options.order)),
      end_(kForEver) {
  std::uint64_t first = 0;
  for (const ShardEntry& shard : manifest.shards) {
    first_ordinal_.push_back(first);
    first += shard.samples;
  }
  // More epochs than the counter can hold are as good as no end.
  if (options.epochs && *options.epochs <= kForEver / order_.samples()) {
    end_ = *options.epochs * order_.samples();
  }
}

Plan::Layout Plan::layout(std::uint64_t epoch) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(layouts_.begin(), layouts_.end(),
                                  [&](const Layout& kept) { return kept->epoch() == epoch; });
  if (found != layouts_.end()) return *found;
  if (layouts_.size() == kKeptLayouts) layouts_.erase(layouts_.begin());
  layouts_.push_back(std::make_shared<const shuffle::EpochOrder>(order_.epoch(epoch)));
  return layouts_.back();
}

std::uint64_t Plan::next(std::uint64_t consumed, const World& world) const {
  return consumed + std::min(world.global_batch(), end_ - consumed);
}

void Plan::rows(std::uint64_t consumed, const World& world, std::vector<Row>* rows) const {
  rows->clear();
  std::vector<std::uint64_t> slots;
  shuffle::slots_of_rank({.first = consumed,
                          .size = next(consumed, world) - consumed,
                          .lanes = order_.options().lanes,
                          .world = world.world},
                         world.rank, &slots);
  Layout epoch;
  for (const std::uint64_t slot : slots) {
    const std::uint64_t at = consumed + slot;
    if (!epoch || epoch->epoch() != order_.epoch_of(at)) epoch = layout(order_.epoch_of(at));
    const shuffle::Place place = epoch->at(order_.position_of(at));
    rows->push_back({place.shard, place.sample, first_ordinal_[place.shard] + place.sample});
  }
}

}  // namespace headrace::plan
