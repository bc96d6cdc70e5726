// SPDX-License-Identifier: Apache-2.0
// Proves a run directory whole: what run.json, every commit and the manifest say against the files.
// Resuming looks at sizes and times only, so that it costs nothing (ledger.h); this reads
// everything.
//
// A run that has not come to its end is judged by what it has: of a stage under way the commits of
// its present tasks, of stages that are out of date those of the earlier start, which are still
// there to be used.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

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

// The shard sets of a run.
struct ShardSetPlace {
  const char* stage;
  const char* folder;
};
constexpr ShardSetPlace kShardSets[] = {{kShards, "shards"}, {kValidation, "shards/validation"}};
// Folders whose files are proven by other means, or are not of the run.
constexpr std::string_view kOtherFolders[] = {"shards", "report", "dropped", "audit"};

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

class RunCheck {
 public:
  RunCheck(const Context& context, const VerifyOptions& options)
      : context_(context), options_(options) {}

  Result<VerifyReport> run() {
    if (KnownSplits::is_damaged(context_.directory)) {
      broken("splits.json",
             "not what was written (its checksum differs): remove it, the next run makes it again");
    }
    for (const std::string& stage : all_stages(context_.recipe)) collect(stage);
    for (const ShardSetPlace& place : kShardSets) HEADRACE_RETURN_IF_ERROR(check_shards(place));
    HEADRACE_RETURN_IF_ERROR(check_files());
    check_foreign_files();
    report_.unfinished = unfinished_stage(context_);
    report_.ok = report_.broken.empty() && !report_.unfinished;
    return std::move(report_);
  }

 private:
  void broken(std::string file, std::string what) {
    report_.broken.push_back({std::move(file), -1, std::move(what)});
  }

  bool finished(std::string_view stage) const {
    return context_.finished.contains(std::string(stage));
  }

  // The files that the commits of a stage name.
  void collect(std::string_view stage) {
    const bool of_shards = stage == kShards || stage == kValidation;
    std::vector<OutputFile>& files = of_shards ? shard_files_[std::string(stage)] : files_;
    const auto take = [&](const Commit& commit) {
      files.insert(files.end(), commit.outputs.begin(), commit.outputs.end());
    };
    const auto own_commits = [&](std::size_t tasks) {
      for (std::size_t task = 0; task < tasks; ++task) owned_.insert(Ledger::name(stage, task));
    };
    if (finished(stage)) {
      own_commits(context_.finished.at(std::string(stage)));
      for (std::size_t task = 0; task < context_.finished.at(std::string(stage)); ++task) {
        if (const auto commit = context_.ledger.read(stage, task)) {
          take(*commit);
        } else {
          broken(Ledger::name(stage, task),
                 "the commit is gone or is not what was written: run the recipe again");
        }
      }
    } else if (context_.running && context_.running->stage == stage) {
      const std::vector<std::string>& tasks = context_.running->tasks;
      for (std::size_t task = 0; task < tasks.size(); ++task) {
        const auto commit = context_.ledger.read(stage, task);
        if (commit && commit->fingerprint == tasks[task]) take(*commit);
      }
    } else if (const auto commits = context_.ledger.all(stage); !commits.empty()) {
      report_.stale.emplace_back(label_of(stage).name);
      own_commits(commits.size());
      for (const Commit& commit : commits) take(commit);
    }
  }

  // The shards by their manifest, and the manifest by the commits. Without a manifest to go by, by
  // the commits alone.
  Result<void> check_shards(const ShardSetPlace& place) {
    std::vector<OutputFile>& set_files = shard_files_[place.stage];
    const std::string manifest_path = io::join(place.folder, "manifest.json");
    if (!io::exists(context_.directory.at(manifest_path))) {
      // It is written behind the last shard.
      if (finished(kReport) && finished(place.stage)) {
        broken(manifest_path,
               fmt::format("is not there: remove tasks/{} and run the recipe again", place.stage));
      }
      add_files(set_files);
      return {};
    }
    if (set_files.empty() && !finished(place.stage)) return {};  // of no commit of this run
    const std::string folder = context_.directory.at(place.folder);
    HEADRACE_ASSIGN_OR_RETURN(VerifyReport shards, verify_shards(folder, options_));
    report_.shards += shards.shards;
    report_.samples += shards.samples;
    report_.bytes += shards.bytes;
    for (Damage& damage : shards.broken) {
      damage.shard = io::join(place.folder, damage.shard);
      report_.broken.push_back(std::move(damage));
    }
    const auto manifest = read_manifest(folder);
    if (!manifest) {
      add_files(set_files);  // a damaged manifest, reported above, proves no file
      return {};
    }
    compare_with_commits(*manifest, place, set_files);
    return {};
  }

  void compare_with_commits(const Manifest& manifest, const ShardSetPlace& place,
                            const std::vector<OutputFile>& set_files) {
    std::map<std::string, std::pair<std::uint64_t, std::string>> files;
    for (const ShardEntry& entry : manifest.shards) {
      for (const ShardEntry::File& file : entry.files)
        files[io::join(place.folder, file.path)] = {file.bytes, file.xxh3_128};
    }
    for (const OutputFile& output : set_files) {
      const auto found = files.find(output.path);
      if (found == files.end() || found->second != std::pair(output.bytes, output.xxh3_128)) {
        broken(output.path,
               "the manifest does not say the same of it as the commit: run the recipe again");
      }
      if (found != files.end()) files.erase(found);
    }
    for (const auto& [path, file] : files)
      broken(path, "the manifest names it, but no commit does: run the recipe again");
  }

  void add_files(const std::vector<OutputFile>& more) {
    files_.insert(files_.end(), more.begin(), more.end());
  }

  Result<void> check_files() {
    std::uint64_t bytes = 0;
    for (const OutputFile& file : files_) bytes += file.bytes;
    std::vector<std::optional<std::string>> faults(files_.size());
    {
      Progress progress("files", bytes, kBytes,
                        options_.show_progress ? detect_progress_mode() : ProgressMode::kOff);
      HEADRACE_RETURN_IF_ERROR(parallel_for(files_.size(), thread_count(options_.threads),
                                            options_.stop, [&](std::size_t i) -> Result<void> {
                                              faults[i] = fault_of(context_, files_[i]);
                                              progress.add(files_[i].bytes);
                                              return {};
                                            }));
    }
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (faults[i]) broken(files_[i].path, *faults[i]);
    }
    report_.files = files_.size();
    report_.bytes += bytes;
    return {};
  }

  // Parts and commits that nothing of this run made: whoever reads the folders would take them for
  // documents. While a stage is under way its tasks have parts whose commits are still to come.
  void check_foreign_files() {
    if (context_.running) return;
    for (const OutputFile& file : files_) owned_.insert(file.path);
    for (const auto& [stage, files] : shard_files_) {
      for (const OutputFile& file : files) owned_.insert(file.path);
    }
    const std::filesystem::path root = context_.directory.root();
    std::set<std::string> foreign;
    std::error_code error;
    std::filesystem::recursive_directory_iterator it(root, error);
    for (; !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
      const std::string path = it->path().lexically_relative(root).generic_string();
      if (std::find(std::begin(kOtherFolders), std::end(kOtherFolders), path) !=
          std::end(kOtherFolders)) {
        it.disable_recursion_pending();
        continue;
      }
      std::error_code gone;
      if (it->is_directory(gone) || io::is_temporary_name(path) || owned_.contains(path)) continue;
      if (path.starts_with("tasks/") || it->path().filename().string().starts_with("part-"))
        foreign.insert(path);
    }
    if (error) broken(".", "the folder cannot be listed: " + error.message());
    for (const std::string& path : foreign)
      broken(path, "no commit of this run names this file: move it away");
  }

  const Context& context_;
  const VerifyOptions& options_;
  VerifyReport report_;
  std::set<std::string> owned_;  // commits, then also what they name
  std::vector<OutputFile> files_;
  std::map<std::string, std::vector<OutputFile>> shard_files_;  // by stage
};

}  // namespace
}  // namespace curate

Result<VerifyReport> verify_run(const std::string& directory, const VerifyOptions& options) {
  const auto context = curate::open_context(directory);
  if (context) return curate::RunCheck(**context, options).run();
  const Code code = context.error().code();
  if (code == Code::kNotFound || code == Code::kUnavailable) return context.error();
  // Nothing else can be trusted: which files there should be is what is damaged.
  VerifyReport report;
  report.broken.push_back({"run.json", -1, context.error().message()});
  return report;
}

}  // namespace headrace
