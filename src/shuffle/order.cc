// SPDX-License-Identifier: Apache-2.0
// Shards permuted, laid end to end, cut into lanes, permuted inside windows.
//
// A full permutation of all samples would make every read random. Here a lane walks through a
// contiguous run of the epoch's shard order, so what is read at any moment are L windows: large
// sequential pieces of few shards. The offline shuffle has already mixed the samples over all
// shards; this one only has to make epochs differ and neighbours part.
//
// Position p of an epoch of N samples: the first L * (N / L) positions go round the lanes, p mod L,
// so that all lanes move on together; N mod L lanes hold one sample more, and those come last, in
// lane order. Lane l owns [l * N / L, (l + 1) * N / L) of the laid-out epoch (128-bit products, so
// exact at any N). Inside its windows of W the lane is permuted; the last window may be short.
#include "shuffle/order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/counter_rng.h"
#include "base/error.h"

namespace headrace::shuffle {

Order::Order(std::vector<std::uint64_t> shard_samples, const OrderOptions& options)
    : shard_samples_(std::move(shard_samples)),
      options_(options),
      samples_(std::accumulate(shard_samples_.begin(), shard_samples_.end(), std::uint64_t{0})) {
  HEADRACE_DCHECK(options.lanes > 0 && options.window > 0);
}

EpochOrder Order::epoch(std::uint64_t epoch) const { return EpochOrder(*this, epoch); }

std::uint64_t Order::lane_start(std::uint64_t lane) const {
  return static_cast<std::uint64_t>(static_cast<Uint128>(lane) * samples_ / options_.lanes);
}

EpochOrder::EpochOrder(const Order& order, std::uint64_t epoch) : order_(&order), epoch_(epoch) {
  const std::size_t count = order.shard_samples_.size();
  const Permutation permutation(count,
                                CounterRng(order.options_.seed, purpose("shard"), epoch).key());
  std::uint64_t start = 0;
  for (std::size_t j = 0; j < count; ++j) {
    const std::size_t shard = order.options_.shuffle ? permutation.at(j) : j;
    if (order.shard_samples_[shard] == 0) continue;
    shards_.push_back(static_cast<std::uint32_t>(shard));
    starts_.push_back(start);
    start += order.shard_samples_[shard];
  }
}

// Position in the epoch → position in the laid-out shards.
std::uint64_t EpochOrder::shuffled(std::uint64_t position) const {
  const std::uint64_t lanes = order_->options_.lanes;
  const std::uint64_t samples = order_->samples_;
  const std::uint64_t rounds = samples / lanes;  // samples that every lane has
  std::uint64_t lane = position % lanes;
  std::uint64_t step = position / lanes;
  if (step >= rounds) {
    // The k-th lane (from 0) that holds one more is ceil((k + 1) * L / extra) - 1: where
    // l * N / L steps by rounds + 1.
    const std::uint64_t k = position - rounds * lanes;
    const std::uint64_t extra = samples - rounds * lanes;
    lane = ((k + 1) * lanes + extra - 1) / extra - 1;
    step = rounds;
  }

  const std::uint64_t start = order_->lane_start(lane);
  const std::uint64_t size = order_->lane_start(lane + 1) - start;
  const std::uint64_t window = step / order_->options_.window;
  const std::uint64_t first = window * order_->options_.window;
  const std::uint64_t width = std::min<std::uint64_t>(order_->options_.window, size - first);
  const CounterRng lane_rng(order_->options_.seed, purpose("lane"), epoch_);
  const CounterRng window_rng(lane_rng.at(lane), purpose("window"), window);
  return start + first + Permutation(width, window_rng.key()).at(step - first);
}

Place EpochOrder::at(std::uint64_t position) const {
  HEADRACE_DCHECK(position < order_->samples_);
  const std::uint64_t laid = order_->options_.shuffle ? shuffled(position) : position;
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), laid);
  const auto j = static_cast<std::size_t>(after - starts_.begin()) - 1;
  return {shards_[j], laid - starts_[j]};
}

}  // namespace headrace::shuffle
