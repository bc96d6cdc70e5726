// SPDX-License-Identifier: Apache-2.0
// Best-fit packing of five million documents into sequences of 4096, with the lengths of documents
// as they are found: log-normal, a median of some 500 tokens. The result is checked before its
// time: all tokens are in, and padding is below half a per cent.
#include <cmath>
#include <random>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "pack/best_fit.h"

namespace headrace::pack {
namespace {

constexpr std::uint32_t kLength = 4096;

std::vector<std::uint64_t> lengths(std::size_t count) {
  std::mt19937_64 random(1);
  std::lognormal_distribution<double> tokens(6.2, 1.1);
  std::vector<std::uint64_t> all(count);
  for (auto& length : all) length = 1 + static_cast<std::uint64_t>(tokens(random));
  return all;
}

std::string wrong(const BestFit& packing, const std::vector<std::uint64_t>& documents) {
  std::uint64_t expected = 0;
  for (const std::uint64_t tokens : documents) expected += tokens;
  std::uint64_t found = 0;
  std::vector<Piece> pieces;
  for (std::uint64_t s = 0; s < packing.sequences(); ++s) {
    packing.pieces(s, &pieces);
    std::uint64_t filled = 0;
    for (const Piece& piece : pieces) filled += piece.length;
    if (filled > kLength) return fmt::format("sequence {} has {} tokens", s, filled);
    found += filled;
  }
  if (found != expected) return fmt::format("{} tokens, not {}", found, expected);
  return packing.padding_tokens() * 200 < expected ? "" : "more than 0.5 % padding";
}

void best_fit(benchmark::State& state) {
  const auto documents = lengths(static_cast<std::size_t>(state.range(0)));
  double padding = 0;
  {
    const BestFit packing(documents, kLength);
    const std::string fault = wrong(packing, documents);
    if (!fault.empty()) return state.SkipWithError(fault.c_str());
    padding = static_cast<double>(packing.padding_tokens()) /
              static_cast<double>(packing.sequences() * kLength);
  }
  for (auto _ : state) {
    const BestFit packing(documents, kLength);
    benchmark::DoNotOptimize(packing.sequences());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["padding_percent"] = 100 * padding;
}
BENCHMARK(best_fit)->Arg(5'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace::pack
