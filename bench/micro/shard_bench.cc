// SPDX-License-Identifier: Apache-2.0
// Shards of 4 KB samples, written into /dev/shm and read back at random with their checksums. Each
// benchmark reads what it wrote, or sums what it reads, before its time counts. Bytes are those of
// the values.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "base/counter_rng.h"
#include "shard/fields.h"

namespace headrace::shard {
namespace {

constexpr std::uint64_t kSamples = 32'768;
constexpr std::size_t kSampleBytes = 4096;

std::string folder() {
  const std::filesystem::path memory = "/dev/shm";
  const auto parent =
      std::filesystem::exists(memory) ? memory : std::filesystem::temp_directory_path();
  const std::string made = (parent / "headrace_shard_bench").string();
  std::filesystem::create_directories(made);
  return made;
}

Schema schema() {
  return Schema::make({{"data", FieldType::kBytes, {}}, {"id", FieldType::kInt64, {}}}).value();
}

// Pieces of one text: making the samples costs nothing beside writing them.
const std::string& source() {
  static const std::string bytes = [] {
    std::string made(1 << 20, '\0');
    const CounterRng rng(3, purpose("shard_bench"));
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = static_cast<char>(rng.below(i, 256));
    return made;
  }();
  return bytes;
}

std::string_view data_of(std::int64_t id) {
  const std::size_t at = static_cast<std::size_t>(id) * 61 % (source().size() - kSampleBytes);
  return std::string_view(source()).substr(at, kSampleBytes);
}

bool write_shard(const std::string& format, const std::string& prefix) {
  auto writer = create_field_writer(format, prefix, schema());
  if (!writer) return false;
  for (std::int64_t id = 0; id < static_cast<std::int64_t>(kSamples); ++id) {
    const std::string_view values[] = {data_of(id),
                                       {reinterpret_cast<const char*>(&id), sizeof(id)}};
    if (!(*writer)->add(values)) return false;
  }
  return (*writer)->finish().has_value();
}

bool is_sample(const FieldBuffer& sample, std::uint64_t id) {
  return sample.value(0) == data_of(static_cast<std::int64_t>(id)) &&
         sample.value(1) == std::string_view(reinterpret_cast<const char*>(&id), sizeof(id));
}

const std::vector<std::pair<std::string, std::string>> kFormats = {{"webdataset", ".tar"},
                                                                   {"mindrecord", ".mindrecord"},
                                                                   {"mds", ".mds"},
                                                                   {"tfrecord", ".tfrecord"},
                                                                   {"jsonl", ".jsonl"}};

void write_all(benchmark::State& state) {
  const auto& [format, extension] = kFormats[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(format);
  const std::string prefix = folder() + "/write";
  bool good = write_shard(format, prefix);
  if (good) {
    const auto reader = open_field_reader(format, prefix + extension, {.schema = schema()});
    FieldBuffer sample;
    for (std::uint64_t i = 0; good && i < kSamples; ++i) {
      good = reader && (*reader)->read(i, &sample) && is_sample(sample, i);
    }
  }
  if (!good) return state.SkipWithError("what was written does not come back");
  for (auto _ : state) benchmark::DoNotOptimize(write_shard(format, prefix));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * kSamples * kSampleBytes));
  std::filesystem::remove_all(folder());
}

void read_random(benchmark::State& state) {
  const auto& [format, extension] = kFormats[static_cast<std::size_t>(state.range(0))];
  state.SetLabel(format);
  const std::string prefix = folder() + "/read";
  if (!write_shard(format, prefix)) return state.SkipWithError("the shard could not be written");
  const auto reader =
      open_field_reader(format, prefix + extension, {.schema = schema(), .require_sidecar = true});
  if (!reader) return state.SkipWithError("the shard could not be opened");
  const CounterRng rng(7, purpose("shard_bench"));
  FieldBuffer sample;
  std::uint64_t draw = 0;
  for (; draw < 1000; ++draw) {
    const std::uint64_t i = rng.below(draw, kSamples);
    if (!(*reader)->read(i, &sample) || !is_sample(sample, i)) {
      return state.SkipWithError("a sample is another");
    }
  }
  for (auto _ : state) {
    if (!(*reader)->read(rng.below(draw++, kSamples), &sample)) {
      return state.SkipWithError("a sample could not be read");
    }
  }
  state.SetItemsProcessed(state.iterations());
  std::filesystem::remove_all(folder());
}

BENCHMARK(write_all)->DenseRange(0, 4)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(read_random)->DenseRange(0, 4)->UseRealTime();

}  // namespace
}  // namespace headrace::shard
