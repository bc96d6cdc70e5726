// SPDX-License-Identifier: Apache-2.0
// What `headrace run` does, step by step. Each pass is a stage of tasks that commit; running again
// does what has no valid commit. Read this file first.
#include "curate/passes.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>

#include "headrace/run.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/log.h"
#include "base/thread_pool.h"
#include "curate/books.h"
#include "curate/earlier_run.h"
#include "curate/projection.h"
#include "curate/verdict_backup.h"
#include "io/file.h"
#include "io/uri.h"

namespace headrace {
namespace curate {
namespace {

// A run needs at least this share of its input as free space; most need more, none needs less.
constexpr double kLeastSpaceShare = 0.3;

std::string probe_path(const Context& context) { return context.directory.at("writable.probe"); }

// A run replaces what stands under its own names (dropped/, shards/shard-*), so it never starts in
// a folder that holds something else. The first file found is enough: "/" is not searched through.
Result<void> refuse_foreign_folder(const Context& context) {
  const std::string& root = context.directory.root();
  if (io::exists(context.directory.run_json())) return {};
  std::error_code error;
  std::filesystem::recursive_directory_iterator it(root, error);
  for (; !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
    const std::string path = it->path().string();
    const std::string name = it->path().filename().string();
    if (name.starts_with('.')) {
      it.disable_recursion_pending();
      continue;
    }
    const bool is_folder = it->is_directory(error) && !it->is_symlink(error);
    const bool is_ours = io::is_temporary_name(path) || path == probe_path(context) ||
                         path == context.directory.at("splits.json");
    if (is_folder || is_ours) continue;
    return already_exists(
        "output {} is no run directory (it has no run.json) and is not empty ({}): choose another "
        "folder, or empty this one",
        root, path);
  }
  return {};  // what cannot be listed is told when it is written to
}

// A run that reads its own output would grow with every start.
Result<void> refuse_output_among_inputs(const Context& context) {
  std::error_code error;
  const std::string root =
      std::filesystem::weakly_canonical(context.directory.root(), error).string() + "/";
  if (error) return {};  // no such folder can be: check_creatable() says why
  for (const InputFile& file : context.files) {
    if (io::is_remote(file.path)) continue;
    if (std::filesystem::canonical(file.path, error).string().starts_with(root)) {
      return invalid_argument(
          "input {} lies in the output {}: choose another output, or narrower 'paths'", file.path,
          context.directory.root());
    }
  }
  return {};
}

Result<void> check_space(const Context& context) {
  const std::string& root = context.directory.root();
  std::uint64_t input_bytes = 0;
  for (const InputFile& file : context.files) input_bytes += file.bytes;
  HEADRACE_ASSIGN_OR_RETURN(const std::uint64_t free, io::free_bytes(root));
  const auto least =
      static_cast<std::uint64_t>(kLeastSpaceShare * static_cast<double>(input_bytes));
  if (free < least && !context.finished.contains(kDocuments)) {
    return resource_exhausted("{} has {} free; {} of input need at least {}", root,
                              format_bytes(free), format_bytes(input_bytes), format_bytes(least));
  }
  return {};
}

// What can be said of the output without making it.
Result<void> foresee_output(const Context& context) {
  if (const auto possible = io::check_creatable(context.directory.root()); !possible) {
    return possible.error().with_context(
        fmt::format("output {} cannot be used", context.directory.root()));
  }
  return check_space(context);
}

Result<void> check_output(const Context& context) {
  HEADRACE_RETURN_IF_ERROR(foresee_output(context));
  const std::string& root = context.directory.root();
  if (const auto made = io::make_directories(root); !made) {
    return made.error().with_context(fmt::format("output {} cannot be used", root));
  }
  if (const auto written = io::write_file_atomic(probe_path(context), "x"); !written) {
    return written.error().with_context(fmt::format("output {} cannot be written", root));
  }
  return io::remove_all(probe_path(context));
}

// Everything that can be known to fail fails here, before the first byte is written.
Result<void> prepare(Context& context) {
  HEADRACE_RETURN_IF_ERROR(prepare_tokenizer(context));
  HEADRACE_RETURN_IF_ERROR(prepare_scores(context));
  HEADRACE_RETURN_IF_ERROR(prepare_leaks(context));
  HEADRACE_RETURN_IF_ERROR(EarlierRun::open(context));
  HEADRACE_RETURN_IF_ERROR(prepare_inputs(context));
  return probe_text_fields(context.recipe, context.files, context.tasks, *context.readers);
}

std::string shown_sample(std::optional<double> sample) {
  return sample ? fmt::format("a sample of {:.6g} %", *sample * 100) : "all documents";
}

// A corpus may grow and shrink between two starts; one that has no file in common with the earlier
// is another.
bool is_other_corpus(const Context& earlier, const Context& now) {
  std::set<std::string_view> before;
  for (const InputFile& file : earlier.files) before.insert(file.path);
  return !before.empty() &&
         std::none_of(now.files.begin(), now.files.end(),
                      [&](const InputFile& file) { return before.contains(file.path); });
}

// What would be lost if this run took the place of the earlier one.
Result<void> refuse_other_run(const Context& earlier, const Context& now) {
  constexpr std::string_view kWhatToDo =
      "choose another --output, or give --replace to have this one in its place";
  if (earlier.sample != now.sample) {
    return invalid_argument("{} holds a run of {}, and this one is of {}: {}", now.directory.root(),
                            shown_sample(earlier.sample), shown_sample(now.sample), kWhatToDo);
  }
  if (is_other_corpus(earlier, now)) {
    return invalid_argument(
        "{} holds a run of other sources ({} files, the first {}; none of them is an input of this "
        "recipe, {}): {}",
        now.directory.root(), earlier.files.size(), earlier.files.front().path, now.recipe.path,
        kWhatToDo);
  }
  return {};
}

// What an earlier run in this folder has finished and this recipe still asks for. A damaged
// run.json counts as none: the commits tell what is done. One of a newer version is not
// overwritten, nor, unless asked for, one of other documents. Returns whether its recipe is this
// one.
Result<bool> take_up_earlier_run(Context& context, bool replace) {
  const auto earlier = open_context(context.directory.root());
  if (!earlier) {
    if (earlier.error().code() == Code::kUnsupported) return earlier.error();
    return false;
  }
  if (const auto same = refuse_other_run(**earlier, context); !same) {
    if (!replace) return same.error();
    return false;
  }
  context.finished = (*earlier)->finished;
  if (!context.recipe.tokenize) {
    for (const char* stage : {kTokenize, kMix, kShards}) context.finished.erase(stage);
  }
  forget_other_leaks(context);
  if (!wants_stage(context.recipe, kSpans)) context.finished.erase(kSpans);
  if (!context.recipe.dedup.near) context.finished.erase(kNear);
  forget_other_scores(context);
  return (*earlier)->recipe.yaml == io::redact(context.recipe.yaml) &&
         (*earlier)->sample == context.sample;
}

Result<RunPlan> make_plan(const Context& context, bool same_recipe) {
  RunPlan plan;
  plan.input_files = context.files.size();
  for (const InputFile& file : context.files) plan.input_bytes += file.bytes;
  const std::size_t tasks = context.tasks.size();
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t documents, committed_documents(context));
  plan.stages.push_back({kDocuments, tasks, documents});
  const auto stage = [&](const char* name, std::uint64_t count) {
    const auto found = context.finished.find(name);
    const bool done = same_recipe && documents == tasks && found != context.finished.end();
    plan.stages.push_back({name, done ? found->second : count, done ? found->second : 0});
  };
  const auto wanted_stage = [&](const char* name, std::uint64_t count) {
    if (wants_stage(context.recipe, name)) stage(name, count);
  };
  if (context.recipe.dedup.near) stage(kNear, 1);
  for (const ScoreSpec& spec : context.recipe.scores) stage(score_stage(spec.name).c_str(), tasks);
  wanted_stage(kLeakIndex, 1);
  wanted_stage(kLeaks, tasks);
  wanted_stage(kSplitIndex, 1);
  wanted_stage(kSplit, tasks);
  stage(kVerdict, tasks);
  if (wants_stage(context.recipe, kSpans)) stage(kSpans, tasks);
  if (context.recipe.tokenize) {
    stage(kTokenize, tasks);
    stage(kMix, 1);
    stage(kShards, 0);
    wanted_stage(kValidation, 0);
  }
  stage(kReport, 1);
  return plan;
}

Result<void> run_passes(Context& context, RunTimes* times) {
  const double start = monotonic_seconds();
  // Read, normalize, measure and hash each document while it is in cache; text is written once and
  // does not move again.
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> documents, document_pass(context));
  times->documents = monotonic_seconds() - start;

  // Which documents are near which, by what they say alone: verdicts choose among them later.
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> near, near_pass(context, documents));

  // Models score what the rules on measures keep, one after the other, each only what those before
  // it keep. Their scores are columns like the measures.
  // Held-out items are looked for in what is still kept then, and so is text of the run's own
  // validation documents.
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> late, late_passes(context, documents));

  // Judge by columns: rules first, then exact duplicates among what the rules keep, then near ones
  // among the rest. Moving a threshold repeats only this.
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> verdicts,
                            verdict_pass(context, documents, near, late));

  // Text that stands elsewhere too, or that is a leak, is marked for removal; what comes after
  // reads texts without it.
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> spans,
                            span_pass(context, documents, verdicts));

  if (context.recipe.tokenize) {
    // Kept documents become token ids, each closed by the end token; the mix needs true token
    // counts.
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<Commit> tokens,
                              tokenize_pass(context, documents, verdicts, spans));

    // Choose whole documents until every domain has its share of tokens.
    HEADRACE_ASSIGN_OR_RETURN(const Commit mix, mix_pass(context, tokens));

    // Lay the documents end to end in a keyed order, cut, shuffle the sequences over all shards,
    // write, prove the counts.
    HEADRACE_RETURN_IF_ERROR(shard_pass(context, tokens, mix));
  }

  // The page that says what happened to every document.
  const double before_report = monotonic_seconds();
  HEADRACE_RETURN_IF_ERROR(report_pass(context));
  times->report = monotonic_seconds() - before_report;
  times->later = monotonic_seconds() - start - times->documents;
  return {};
}

}  // namespace

Result<std::vector<Commit>> late_passes(Context& context, const std::vector<Commit>& documents) {
  std::vector<Commit> all;
  for (auto* const pass : {score_pass, leak_pass, split_pass}) {
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Commit> commits, pass(context, documents));
    std::move(commits.begin(), commits.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace curate

Result<RunResult> run(const Recipe& recipe, const RunOptions& options) {
  const double start = monotonic_seconds();
  const std::string output = options.output.empty() ? recipe.output() : options.output;
  if (output.empty())
    return invalid_argument("no output: set 'output' in the recipe or pass --output DIR");
  if (output.find('\0') != std::string::npos)
    return invalid_argument("output: a path cannot hold a zero byte");
  if (io::is_remote(output)) {
    return unsupported("output {}: a run directory is local in this version: choose a folder here",
                       io::public_name(output));
  }
  if (options.sample && !(*options.sample > 0 && *options.sample <= 1)) {
    return invalid_argument("sample must be more than 0 and at most 1, not {}", *options.sample);
  }
  curate::Context context(recipe.data(), output);
  context.sample = options.sample;
  context.threads = thread_count(options.threads ? options.threads : recipe.data().threads);
  context.stop = options.stop;
  context.progress = options.show_progress ? detect_progress_mode() : ProgressMode::kOff;
  HEADRACE_RETURN_IF_ERROR(curate::prepare(context));
  HEADRACE_RETURN_IF_ERROR(curate::refuse_output_among_inputs(context));
  HEADRACE_RETURN_IF_ERROR(curate::refuse_foreign_folder(context));
  HEADRACE_ASSIGN_OR_RETURN(const bool same_recipe,
                            curate::take_up_earlier_run(context, options.replace));

  RunResult result;
  result.run = context.directory.root();
  HEADRACE_ASSIGN_OR_RETURN(result.plan, curate::make_plan(context, same_recipe));
  if (options.dry_run) {
    HEADRACE_RETURN_IF_ERROR(curate::foresee_output(context));
    result.seconds = monotonic_seconds() - start;
    return result;
  }
  HEADRACE_RETURN_IF_ERROR(curate::check_output(context));
  HEADRACE_ASSIGN_OR_RETURN(const curate::RunLock lock,
                            curate::RunLock::acquire(context.directory));
  HEADRACE_RETURN_IF_ERROR(curate::VerdictBackup::restore(context.directory));
  HEADRACE_RETURN_IF_ERROR(curate::remove_leftovers(context.directory));
  HEADRACE_RETURN_IF_ERROR(curate::remove_other_scores(context));
  HEADRACE_RETURN_IF_ERROR(curate::remove_other_leaks(context));
  HEADRACE_RETURN_IF_ERROR(curate::remove_unasked_near(context));
  HEADRACE_RETURN_IF_ERROR(context.splits.write(context.directory));
  curate::RunTimes times{.whole = result.plan.stages.front().tasks_done == 0};
  HEADRACE_RETURN_IF_ERROR(curate::run_passes(context, &times));

  HEADRACE_ASSIGN_OR_RETURN(result.books, curate::make_books(context));
  if (context.sample) {
    HEADRACE_ASSIGN_OR_RETURN(result.projection, curate::project(context, result.books));
    result.projection->seconds = curate::project_seconds(context, *result.projection, times);
  }
  if (recipe.data().tokenize) result.shards = context.directory.shards();
  if (curate::wants_stage(context.recipe, curate::kValidation))
    result.validation_shards = context.directory.validation_shards();
  result.report = context.directory.report_html();
  result.seconds = monotonic_seconds() - start;
  return result;
}

}  // namespace headrace
