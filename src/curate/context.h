// SPDX-License-Identifier: Apache-2.0
// One run in progress: what all passes share.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "headrace/shard_set.h"
#include "headrace/tokenizer.h"

#include "base/progress.h"
#include "base/thread_pool.h"
#include "curate/inputs.h"
#include "curate/known_splits.h"
#include "curate/leak_items.h"
#include "curate/ledger.h"
#include "curate/recipe.h"
#include "curate/run_directory.h"
#include "curate/score_source.h"

namespace headrace::curate {

// Names of the stages as they stand in commits, books and run.json.
inline constexpr const char* kDocuments = "documents";
inline constexpr const char* kScorePrefix = "score/";  // + NAME: a stage for each entry
inline constexpr const char* kLeakIndex = "leak/index";
inline constexpr const char* kLeaks = "leak";
inline constexpr const char* kSplitIndex = "split/index";
inline constexpr const char* kSplit = "split";
inline constexpr const char* kNear = "near";
inline constexpr const char* kVerdict = "verdict";
inline constexpr const char* kSpans = "spans";
inline constexpr const char* kTokenize = "tokenize";
inline constexpr const char* kMix = "mix";
inline constexpr const char* kShards = "shards";
inline constexpr const char* kValidation = "validation";  // its shards
inline constexpr const char* kReport = "report";

// All stages of a recipe, whether it asks for them or not, in the order in which they follow from
// each other.
std::vector<std::string> all_stages(const Recipe::Data& recipe);
std::string score_stage(const std::string& name);

// A stage that is under way, with the fingerprints of its tasks.
struct RunningStage {
  std::string stage;
  std::vector<std::string> tasks;
};

struct Context {
  Context(Recipe::Data data, const std::string& root)
      : recipe(std::move(data)), directory(root), ledger(directory) {}
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  Recipe::Data recipe;
  RunDirectory directory;
  Ledger ledger;
  std::optional<double> sample;

  std::vector<std::string> domains;
  std::vector<InputFile> files;
  std::optional<InputReaders> readers;
  std::vector<InputTask> tasks;
  KnownSplits splits;  // of compressed files; becomes splits.json
  std::optional<Tokenizer> tokenizer;
  std::vector<std::uint32_t> begin_tokens;                  // before each document
  std::optional<std::uint32_t> end_token;                   // behind it
  std::vector<std::unique_ptr<ScoreSource>> score_sources;  // by entry; see prepare_scores()

  // Stages that are finished and belong together, with their number of tasks: what run.json calls
  // current.
  std::map<std::string, std::size_t> finished;
  std::optional<RunningStage> running;

  std::unique_ptr<LeakItems> leak_items;  // see prepare_leaks()

  std::uint64_t newly_scored = 0;   // rows that score_pass() had to score
  std::uint64_t newly_scanned = 0;  // documents that leak_pass() had to look through

  // Nanoseconds of all threads that went into the documents of a sample, reading them left out.
  mutable std::atomic<std::uint64_t> document_ns{0};

  std::size_t threads = 1;
  SpareThreads spare;  // of `threads`, those that the running stage has no task for
  ProgressMode progress = ProgressMode::kOff;
  std::stop_token stop;

  std::uint32_t domain_of(std::uint64_t id) const { return files[DocumentId{id}.file()].domain; }
};

// A stage as people see it: the word of the books, and what its tasks weigh (base/progress.h).
struct StageLabel {
  std::string_view name;
  std::string_view unit;
};
StageLabel label_of(std::string_view stage);

// A task of a stage: what identifies it, what it weighs for the progress line, and the work. The
// work writes its outputs by rename and returns a commit that names them; the executor completes
// and writes the commit.
struct StageTask {
  std::string fingerprint;
  std::uint64_t weight = 1;
  std::function<Result<Commit>()> work;
  // The work starts from the outputs of the earlier commit, and replaces them.
  bool extends = false;
};

// Runs the tasks of a stage that have no valid commit, then returns the commits of all, in task
// order, and marks the stage finished in run.json. The local executor: threads of this process. See
// executors/local.cc.
Result<std::vector<Commit>> run_stage(Context& context, std::string_view stage,
                                      const std::vector<StageTask>& tasks);

// The commits of a finished stage, all of them; an error that says so when some are gone or
// damaged.
Result<std::vector<Commit>> finished_commits(const Context& context, std::string_view stage);

// The same for what is about to be read: files in `folders` that were changed since are errors.
Result<std::vector<Commit>> whole_commits(const Context& context, std::string_view stage,
                                          std::span<const char* const> folders);

// Whether the recipe takes held-out items out of texts; whether it takes anything out of them.
bool removes_leaks(const Recipe::Data& recipe);
bool removes_spans(const Recipe::Data& recipe);
// Whether the recipe asks for a stage.
bool wants_stage(const Recipe::Data& recipe, std::string_view stage);
// The first stage that the recipe asks for and that is not finished, with what it has committed;
// nothing when the run is.
std::optional<Unfinished> unfinished_stage(const Context& context);

// Writes run.json from the context: recipe, inputs, finished stages.
Result<void> write_run_json(const Context& context);

// A context for an existing run: its recipe and inputs as run.json has them, no readers, no
// tokenizer.
Result<std::unique_ptr<Context>> open_context(const std::string& directory);

// Fills domains, files, readers, tasks and the tokenizer from the recipe; everything that can be
// known to fail does.
Result<void> prepare_inputs(Context& context);
Result<void> prepare_tokenizer(Context& context);

}  // namespace headrace::curate
