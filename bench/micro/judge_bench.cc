// SPDX-License-Identifier: Apache-2.0
// `headrace judge`: rows of 8 rules each, in one domain and with domains mixed row by row.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "base/counter_rng.h"
#include "judge/judge.h"

namespace headrace::judge {
namespace {

// range(0): domains. range(1): buckets that each change the first rule for half of the rows, to
// what it is anyway.
void BM_JudgeEightRules(benchmark::State& state) {
  constexpr std::size_t kRows = 10'000'000;
  constexpr CounterRng rng(1, purpose("bench judge"));
  std::vector<std::string> columns;
  std::vector<Rule> rules;
  std::vector<std::vector<double>> values(8, std::vector<double>(kRows));
  for (std::size_t c = 0; c < 8; ++c) {
    columns.push_back(fmt::format("m{}", c));
    rules.push_back({.column = columns.back(), .min = 0.01, .max = 0.99});
    for (std::size_t row = 0; row < kRows; ++row) values[c][row] = rng.unit(row * 8 + c);
  }
  std::vector<Bucket> buckets;
  for (std::int64_t b = 0; b < state.range(1); ++b)
    buckets.push_back({{{.column = "m1", .max = 0.5}}, {rules[0]}});
  const auto domains = static_cast<std::uint64_t>(state.range(0));
  std::vector<std::uint32_t> domain(kRows);
  for (std::size_t row = 0; row < kRows; ++row) {
    domain[row] = static_cast<std::uint32_t>(rng.below(~row, domains));
  }
  const auto judge = Judge::make(columns, std::vector<RuleSet>(domains, {rules, buckets}));
  const std::vector<std::span<const double>> spans(values.begin(), values.end());
  Verdicts verdicts;
  for (auto _ : state) verdicts = judge->judge(spans, domain);
  std::size_t kept = 0;
  for (std::size_t row = 0; row < kRows; ++row) kept += verdicts.kept(row);
  const double share = static_cast<double>(kept) / kRows;  // 0.98 ^ 8 = 0.8508
  if (share < 0.85 || share > 0.852) state.SkipWithError("wrong verdicts");
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kRows));
}
BENCHMARK(BM_JudgeEightRules)
    ->Args({1, 0})
    ->Args({4, 0})
    ->Args({1, 4})
    ->Args({4, 4})
    ->Unit(benchmark::kMillisecond);

void BM_Percentile(benchmark::State& state) {
  constexpr CounterRng rng(1, purpose("bench judge"));
  std::vector<double> values(1'000'000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = rng.unit(i);
  for (auto _ : state) {
    auto copy = values;
    benchmark::DoNotOptimize(percentile(copy, 5));
    benchmark::DoNotOptimize(percentile(copy, 95));
  }
}
BENCHMARK(BM_Percentile)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace::judge
