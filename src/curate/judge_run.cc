// SPDX-License-Identifier: Apache-2.0
// headrace judge: new thresholds on kept columns. The verdict pass alone, and what it changed.
#include <algorithm>

#include "headrace/run.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/books.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "io/uri.h"

namespace headrace {
namespace curate {
namespace {

// Which rows the verdict stage keeps, by part. The mix is left aside: it follows from the verdicts.
Result<std::vector<std::vector<bool>>> load_kept(const Context& context) {
  std::vector<std::vector<bool>> kept;
  Context only_verdicts(context.recipe, context.directory.root());
  only_verdicts.finished = context.finished;
  only_verdicts.finished.erase(kMix);
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(only_verdicts, part));
    std::vector<bool> rows(verdicts.ids.size());
    for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = verdicts.reasons[row].empty();
    kept.push_back(std::move(rows));
  }
  return kept;
}

void compare(const std::vector<std::vector<bool>>& before,
             const std::vector<std::vector<bool>>& after, JudgeResult* result) {
  for (std::size_t part = 0; part < before.size(); ++part) {
    result->documents += before[part].size();
    for (std::size_t row = 0; row < before[part].size(); ++row) {
      result->before += before[part][row];
      result->after += after[part][row];
      result->newly_kept += !before[part][row] && after[part][row];
      result->newly_dropped += before[part][row] && !after[part][row];
    }
  }
}

bool same_inputs(const Recipe::Data& a, const Recipe::Data& b) {
  return std::equal(a.sources.begin(), a.sources.end(), b.sources.begin(), b.sources.end(),
                    [](const SourceSpec& x, const SourceSpec& y) {
                      // run.json keeps paths without their secrets.
                      return std::equal(x.paths.begin(), x.paths.end(), y.paths.begin(),
                                        y.paths.end(),
                                        [](const std::string& p, const std::string& q) {
                                          return io::public_name(p) == io::public_name(q);
                                        }) &&
                             x.format == y.format;
                    });
}

// The new recipe takes over; only what comes after the document pass may differ.
Result<void> adopt_recipe(Context& context, Recipe::Data recipe) {
  HEADRACE_ASSIGN_OR_RETURN(recipe.words, load_words(recipe.word_lists));
  if (documents_fingerprint(recipe, context.sample) !=
          documents_fingerprint(context.recipe, context.sample) ||
      recipe.domains() != context.recipe.domains() || !same_inputs(recipe, context.recipe)) {
    return invalid_argument(
        "{} differs from the recipe of {} in sources, normalize, word lists or the dedup view: "
        "judging moves "
        "thresholds only; use 'headrace run' for the rest",
        recipe.path, context.directory.root());
  }
  // Mix, tokenizer and shards of the new recipe are made by the next run, not by this pass.
  if (io::redact(recipe.yaml) != io::redact(context.recipe.yaml)) {
    for (const char* stage : {kTokenize, kMix, kShards, kReport}) context.finished.erase(stage);
  }
  context.recipe = std::move(recipe);
  return {};
}

}  // namespace
}  // namespace curate

Result<JudgeResult> judge_run(const std::string& directory, const std::optional<Recipe>& recipe,
                              std::size_t threads, std::stop_token stop) {
  const double start = monotonic_seconds();
  HEADRACE_ASSIGN_OR_RETURN(const auto context, curate::open_context(directory));
  if (!context->finished.contains(curate::kDocuments)) {
    return invalid_argument(
        "{} has no measures yet: let 'headrace run' finish its document pass first", directory);
  }
  context->threads = thread_count(threads);
  context->stop = stop;
  HEADRACE_ASSIGN_OR_RETURN(
      const std::vector<curate::Commit> documents,
      curate::whole_commits(*context, curate::kDocuments, curate::kJudgedFolders));
  HEADRACE_ASSIGN_OR_RETURN(const curate::RunLock lock,
                            curate::RunLock::acquire(context->directory));
  JudgeResult result;
  HEADRACE_ASSIGN_OR_RETURN(const auto before, curate::load_kept(*context));
  if (recipe) HEADRACE_RETURN_IF_ERROR(curate::adopt_recipe(*context, recipe->data()));
  HEADRACE_RETURN_IF_ERROR(curate::verdict_pass(*context, documents));
  HEADRACE_ASSIGN_OR_RETURN(const auto after, curate::load_kept(*context));
  curate::compare(before, after, &result);

  HEADRACE_ASSIGN_OR_RETURN(const Books books, curate::make_books(*context));
  for (const StageBooks& stage : books.stages) {
    if (stage.stage == "judge" || stage.stage == "dedup")
      result.dropped.insert(stage.dropped.begin(), stage.dropped.end());
  }
  result.seconds = monotonic_seconds() - start;
  return result;
}

}  // namespace headrace
