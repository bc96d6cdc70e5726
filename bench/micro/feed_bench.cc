// SPDX-License-Identifier: Apache-2.0
// One epoch of a 64 MiB set through a feed, and its verification; the files are in the page cache.
// Items are tokens; bytes are those of the shard files.
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "headrace/feed.h"
#include "headrace/shard_set.h"

#include "base/counter_rng.h"
#include "io/file.h"
#include "shard/container.h"

namespace headrace {
namespace {

constexpr std::uint64_t kSamples = 8192;
constexpr std::uint32_t kLength = 4096;
constexpr std::uint64_t kShards = 8;

// The folder of the set; "" if it could not be written.
std::string write_set() {
  const std::string folder =
      (std::filesystem::temp_directory_path() / "headrace_feed_bench").string();
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  Manifest manifest;
  manifest.format = "megatron";
  manifest.sequence_length = kLength;
  manifest.token_type = "uint16";
  const CounterRng rng(1, purpose("bench"));
  std::vector<std::uint32_t> tokens(kLength);
  const std::vector<std::uint32_t> starts = {0, 1000, 3000};
  for (std::uint64_t s = 0; s < kShards; ++s) {
    auto writer = shard::registry()
                      .find("megatron")
                      ->create(folder + "/shard-" + std::to_string(s), {.token_type = "uint16"});
    if (!writer) return "";
    for (std::uint64_t i = 0; i < kSamples / kShards; ++i) {
      for (std::uint32_t k = 0; k < kLength; ++k) {
        tokens[k] = static_cast<std::uint32_t>(rng.below((s << 32) + i * kLength + k, 50'000));
      }
      if (!(*writer)->add({tokens, starts})) return "";
    }
    auto entry = (*writer)->finish();
    if (!entry) return "";
    manifest.samples += entry->samples;
    manifest.tokens += entry->tokens;
    manifest.shards.push_back(*std::move(entry));
  }
  const auto written = io::write_file_atomic(folder + "/manifest.json", format_manifest(manifest));
  return written ? folder : "";
}

const std::string& set_folder() {
  static const std::string folder = write_set();
  return folder;
}

void feed_epoch(benchmark::State& state) {
  for (auto step : state) {
    auto feed = Feed::open({.set = set_folder(),
                            .seed = 7,
                            .batch = 8,
                            .epochs = 1,
                            .prefetch_bytes = 16 << 20,
                            .threads = static_cast<std::size_t>(state.range(0))});
    std::uint64_t ids = 0;
    while (feed) {
      const auto batch = feed->next();
      if (!batch || !*batch) break;
      for (const std::uint64_t id : (*batch)->sample_ids) ids += id + 1;
    }
    if (ids != kSamples * (kSamples + 1) / 2) state.SkipWithError("not every sample once");
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kSamples * kLength));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kSamples * kLength * 2));
}
BENCHMARK(feed_epoch)
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

void verify_set(benchmark::State& state) {
  for (auto step : state) {
    const auto report = verify_shards(set_folder(), {.threads = 1});
    if (!report || !report->ok) state.SkipWithError("the set is damaged");
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kSamples * kLength * 2));
}
BENCHMARK(verify_set)->UseRealTime()->MeasureProcessCPUTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace headrace
