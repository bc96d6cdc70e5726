// SPDX-License-Identifier: Apache-2.0
// Exact duplicates, second round: hashes spilled into partitions within a budget, then sorted
// there, on some threads.
//
//   exact_rounds_bench DOCUMENTS MEMORY_MIB THREADS FOLDER
//
// One document in five is a copy of an earlier one; their number is checked before the time is
// told.
#include <cstdlib>
#include <filesystem>
#include <mutex>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/counter_rng.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "dedup/exact.h"
#include "dedup/spill.h"

namespace headrace::dedup {
namespace {

constexpr std::uint64_t kPart = 100'000;

Result<void> run(std::uint64_t documents, std::uint64_t memory_bytes, std::size_t threads,
                 const std::string& folder) {
  const CounterRng rng(1, purpose("exact_rounds_bench"));
  const auto entry_of = [&](std::uint64_t i) {
    const bool is_copy = i > 0 && i % 5 == 4;
    const std::uint64_t of = is_copy ? i - 1 - rng.below(i, 4) : i;
    return ExactEntry{.view = {mix64(of), mix64(~of)},
                      .id = i,
                      .content = mix64(i),
                      .code_points = static_cast<std::uint32_t>(of % 5000)};
  };
  const std::uint64_t each = memory_bytes / 4 / threads;
  const std::size_t partitions = documents * sizeof(ExactEntry) * 6 / 5 / each + 1;
  std::filesystem::create_directories(folder);
  const double start = monotonic_seconds();
  HEADRACE_ASSIGN_OR_RETURN(Spill spill, Spill::create(folder, partitions, 64 << 10));
  HEADRACE_RETURN_IF_ERROR(parallel_for(
      (documents + kPart - 1) / kPart, threads, {}, [&](std::size_t part) -> Result<void> {
        Spill::Writer writer(spill);
        for (std::uint64_t i = part * kPart; i < std::min(documents, (part + 1) * kPart); ++i) {
          const ExactEntry entry = entry_of(i);
          HEADRACE_RETURN_IF_ERROR(
              writer.put_record((entry.view.high >> 32) * partitions >> 32, entry));
        }
        return writer.flush();
      }));
  const double spilled = monotonic_seconds();
  std::uint64_t duplicates = 0;
  std::mutex mutex;
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(partitions, threads, {}, [&](std::size_t partition) -> Result<void> {
        HEADRACE_ASSIGN_OR_RETURN(std::vector<ExactEntry> some,
                                  spill.read_records<ExactEntry>(partition));
        const std::size_t found = find_exact_duplicates(some).size();
        const std::lock_guard lock(mutex);
        duplicates += found;
        return {};
      }));
  const double end = monotonic_seconds();
  if (duplicates != documents / 5)
    return internal_error("{} duplicates of {}", duplicates, documents / 5);
  fmt::print(
      "{{\"documents\": {}, \"partitions\": {}, \"threads\": {}, \"spill_seconds\": {:.2f}, "
      "\"sort_seconds\": {:.2f}, \"million_documents_a_second\": {:.2f}}}\n",
      documents, partitions, threads, spilled - start, end - spilled,
      static_cast<double>(documents) / 1e6 / (end - start));
  return {};
}

}  // namespace
}  // namespace headrace::dedup

int main(int argc, char** argv) {
  if (argc != 5) {
    fmt::print(stderr, "exact_rounds_bench DOCUMENTS MEMORY_MIB THREADS FOLDER\n");
    return 2;
  }
  const auto done = headrace::dedup::run(std::strtoull(argv[1], nullptr, 10),
                                         std::strtoull(argv[2], nullptr, 10) << 20,
                                         std::strtoull(argv[3], nullptr, 10), argv[4]);
  std::filesystem::remove_all(argv[4]);
  if (done) return 0;
  fmt::print(stderr, "{}\n", done.error().message());
  return 1;
}
