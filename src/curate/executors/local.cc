// SPDX-License-Identifier: Apache-2.0
// The local executor: tasks on threads of this process, handed out as threads fall free. An
// executor only schedules; a task's result is its files and its commit, the same whoever runs it.
// Threads that no task is left for are free to help in one that runs (Context::spare).
#include <algorithm>
#include <atomic>

#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "curate/context.h"

namespace headrace::curate {
namespace {

// This stage and all that follow from it are out of date from here on.
void forget_stages_from(Context& context, std::string_view stage) {
  const std::vector<std::string> stages = all_stages(context.recipe);
  for (auto later = std::find(stages.begin(), stages.end(), stage); later != stages.end(); ++later)
    context.finished.erase(*later);
}

// The valid commits of an earlier start, by task.
Result<std::vector<std::optional<Commit>>> find_commits(const Context& context,
                                                        std::string_view stage,
                                                        const std::vector<StageTask>& tasks) {
  std::vector<std::optional<Commit>> commits(tasks.size());
  HEADRACE_RETURN_IF_ERROR(
      parallel_for(tasks.size(), context.threads, context.stop, [&](std::size_t i) -> Result<void> {
        const std::optional<Commit> present = context.ledger.read(stage, i);
        if (!present || present->fingerprint != tasks[i].fingerprint) return {};
        if (const auto broken = context.ledger.broken_output(stage, i, *present)) {
          log_warning("{} is gone or was changed after it was committed: its task runs again",
                      context.directory.at(*broken));
          return {};
        }
        context.ledger.renew(stage, i);
        commits[i] = present;
        return {};
      }));
  return commits;
}

std::vector<std::string> fingerprints_of(const std::vector<StageTask>& tasks) {
  std::vector<std::string> fingerprints;
  for (const StageTask& task : tasks) fingerprints.push_back(task.fingerprint);
  return fingerprints;
}

}  // namespace

Result<std::vector<Commit>> run_stage(Context& context, std::string_view stage,
                                      const std::vector<StageTask>& tasks) {
  const auto [name, unit] = label_of(stage);
  HEADRACE_ASSIGN_OR_RETURN(std::vector<std::optional<Commit>> commits,
                            find_commits(context, stage, tasks));
  std::vector<std::size_t> open;
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (commits[i]) continue;
    open.push_back(i);
    weight += tasks[i].weight;
  }
  if (!open.empty()) {
    forget_stages_from(context, stage);
    context.running.emplace(RunningStage{std::string(stage), fingerprints_of(tasks)});
    HEADRACE_RETURN_IF_ERROR(write_run_json(context));
    if (open.size() < tasks.size()) {
      log_info("{}: {} of {} tasks were done before", stage, tasks.size() - open.size(),
               tasks.size());
    }
    const std::size_t workers = std::min(context.threads, open.size());
    std::atomic<std::size_t> ended{0};
    context.spare.reset(context.threads - workers);
    Progress progress(std::string(name), weight, unit, context.progress);
    HEADRACE_RETURN_IF_ERROR(parallel_for(
        open.size(), context.threads, context.stop, [&](std::size_t i) -> Result<void> {
          const std::size_t task = open[i];
          // First of all the old commit goes: it must never stand over files of another recipe.
          if (!tasks[task].extends) HEADRACE_RETURN_IF_ERROR(context.ledger.forget(stage, task));
          HEADRACE_ASSIGN_OR_RETURN(Commit commit, tasks[task].work());
          commit.fingerprint = tasks[task].fingerprint;
          HEADRACE_RETURN_IF_ERROR(context.ledger.write(stage, task, std::move(commit)));
          commits[task] = context.ledger.find(stage, task, tasks[task].fingerprint);
          if (!commits[task])
            return internal_error("{} task {}: the commit just written cannot be read back", stage,
                                  task);
          progress.add(tasks[task].weight);
          if (++ended + workers > open.size()) context.spare.give(1);
          return {};
        }));
  } else {
    Progress::write_done_before(name, context.progress);
  }
  HEADRACE_RETURN_IF_ERROR(context.ledger.forget_from(stage, tasks.size()));
  context.finished[std::string(stage)] = tasks.size();
  context.running.reset();
  HEADRACE_RETURN_IF_ERROR(write_run_json(context));

  std::vector<Commit> all;
  all.reserve(tasks.size());
  for (auto& commit : commits) all.push_back(*std::move(commit));
  return all;
}

}  // namespace headrace::curate
