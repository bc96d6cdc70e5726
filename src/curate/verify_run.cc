// SPDX-License-Identifier: Apache-2.0
// Proves a run directory whole: what every commit says of its files against the files. Resuming
// looks at sizes only, so that it costs nothing; this reads everything.
#include <algorithm>

#include "headrace/run.h"

#include "base/error.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/thread_pool.h"
#include "curate/context.h"
#include "io/file.h"

namespace headrace {
namespace curate {
namespace {

std::optional<std::string> fault_of(const Context& context, const OutputFile& output) {
  const std::string path = context.directory.at(output.path);
  const auto info = io::file_info(path);
  if (!info) return info.error().message();
  if (info->bytes != output.bytes)
    return fmt::format("{} bytes, not the {} that were committed", info->bytes, output.bytes);
  const auto hash = io::hash_file(path);
  if (!hash) return hash.error().message();
  if (to_hex(*hash) != output.xxh3_128) {
    return fmt::format("XXH3-128 is {}, not {}: remove the file and run the recipe again",
                       to_hex(*hash), output.xxh3_128);
  }
  return std::nullopt;
}

// The files of all finished stages but the shards, which are proved by their manifest; stages with
// commits that are gone or damaged are faults.
std::vector<OutputFile> committed_files(const Context& context, std::vector<Damage>* broken) {
  std::vector<OutputFile> files;
  for (const std::string_view stage : kStages) {
    if (!context.finished.contains(std::string(stage)) || stage == kShards) continue;
    const auto commits = finished_commits(context, stage);
    if (!commits) {
      broken->push_back({"tasks/" + std::string(stage), -1, commits.error().message()});
      continue;
    }
    for (const Commit& commit : *commits)
      files.insert(files.end(), commit.outputs.begin(), commit.outputs.end());
  }
  return files;
}

}  // namespace
}  // namespace curate

Result<VerifyReport> verify_run(const std::string& directory, const VerifyOptions& options) {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(directory));
  VerifyReport report;
  const std::vector<curate::OutputFile> files = curate::committed_files(*context, &report.broken);
  std::vector<std::optional<std::string>> faults(files.size());
  std::uint64_t bytes = 0;
  for (const curate::OutputFile& file : files) bytes += file.bytes;
  {
    Progress progress("files", bytes, kBytes,
                      options.show_progress ? detect_progress_mode() : ProgressMode::kOff);
    HEADRACE_RETURN_IF_ERROR(parallel_for(files.size(), thread_count(options.threads), options.stop,
                                          [&](std::size_t i) -> Result<void> {
                                            faults[i] = curate::fault_of(*context, files[i]);
                                            progress.add(files[i].bytes);
                                            return {};
                                          }));
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (faults[i]) report.broken.push_back({files[i].path, -1, *faults[i]});
  }
  if (context->finished.contains(curate::kShards)) {
    HEADRACE_ASSIGN_OR_RETURN(VerifyReport shards,
                              verify_shards(context->directory.shards(), options));
    report.shards = shards.shards;
    report.samples = shards.samples;
    bytes += shards.bytes;
    for (Damage& damage : shards.broken) {
      damage.shard = "shards/" + damage.shard;
      report.broken.push_back(std::move(damage));
    }
  }
  report.files = files.size();
  report.bytes = bytes;
  report.ok = report.broken.empty();
  return report;
}

}  // namespace headrace
