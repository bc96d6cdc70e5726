// SPDX-License-Identifier: Apache-2.0
// One position of a permutation; one sample of an order (shards, lanes, windows).
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "shuffle/order.h"
#include "shuffle/permutation.h"

namespace headrace::shuffle {
namespace {

void permutation_at(benchmark::State& state) {
  const auto n = static_cast<std::uint64_t>(state.range(0));
  const Permutation permutation(n, 7);
  std::uint64_t i = 0;
  std::uint64_t outside = 0;
  for (auto step : state) {
    const std::uint64_t element = permutation.at(i);
    outside += element >= n ? 1 : 0;
    i = i + 1 < n ? i + 1 : 0;
  }
  if (outside > 0) state.SkipWithError("left its domain");
}
BENCHMARK(permutation_at)->Arg(100)->Arg(4096)->Arg(1'000'000'000'000);

// 10,000 shards of 65,536 samples.
void order_at(benchmark::State& state) {
  const Order order(std::vector<std::uint64_t>(10'000, 65'536), {.seed = 7});
  const EpochOrder epoch = order.epoch(1);
  std::uint64_t position = 0;
  std::uint64_t outside = 0;
  for (auto step : state) {
    outside += epoch.at(position).sample >= 65'536 ? 1 : 0;
    position = (position + 1) % order.samples();
  }
  if (outside > 0) state.SkipWithError("left its shard");
}
BENCHMARK(order_at);

}  // namespace
}  // namespace headrace::shuffle
