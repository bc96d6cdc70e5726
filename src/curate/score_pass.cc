// SPDX-License-Identifier: Apache-2.0
// Scores: what models say of the documents that are still in the running.
//
// A model costs a thousand times a measure, so a document comes to an entry only when the rules on
// measures and on the entries before keep it: entries are stages, one after the other. What was
// scored stays: each score is a function of the text and the model alone, so a file is extended by
// the rows that come anew (another threshold, here or before) and none is ever scored twice.
// Whether a file can be built on follows from its commit, whose fingerprint names the model, the
// documents, and the rows that it holds.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/measure_columns.h"
#include "curate/open_rows.h"
#include "curate/passes.h"
#include "curate/score_reach.h"
#include "io/file.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kScorePassVersion = 1;

// What is to be done for one part of one entry.
struct PartPlan {
  RowsToScore open;      // not scored yet
  bool extends = false;  // there is a file to build on
  std::string fingerprint;
  std::uint64_t count = 0;  // of open rows
};

class EntryPass {
 public:
  EntryPass(Context& context, const std::vector<Commit>& documents, std::size_t entry)
      : context_(context),
        documents_(documents),
        spec_(context.recipe.scores[entry]),
        source_(*context.score_sources[entry]),
        entry_(entry),
        stage_(score_stage(spec_.name)) {}

  Result<std::vector<Commit>> run() {
    HEADRACE_RETURN_IF_ERROR(
        io::make_directories(context_.directory.at(scores_folder(spec_.name))));
    HEADRACE_RETURN_IF_ERROR(make_plans());
    HEADRACE_RETURN_IF_ERROR(prepare_source());
    std::vector<StageTask> tasks;
    for (PartPlan& plan : plans_) {
      tasks.push_back({.fingerprint = plan.fingerprint,
                       .weight = plan.count,
                       .work = [this, &plan] { return score_part(plan); },
                       .extends = plan.extends});
    }
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Commit> commits, run_stage(context_, stage_, tasks));
    HEADRACE_RETURN_IF_ERROR(source_.finish(context_));
    return commits;
  }

 private:
  Result<void> make_plans() {
    HEADRACE_ASSIGN_OR_RETURN(const ScoreReach reach, ScoreReach::make(context_, entry_));
    plans_.resize(documents_.size());
    return parallel_for(plans_.size(), context_.threads, context_.stop,
                        [&](std::size_t part) -> Result<void> {
                          HEADRACE_ASSIGN_OR_RETURN(plans_[part], make_plan(reach, part));
                          return {};
                        });
  }

  Result<PartPlan> make_plan(const ScoreReach& reach, std::size_t part) const {
    HEADRACE_ASSIGN_OR_RETURN(std::vector<bool> wanted, reach.rows(part));
    OpenRows rows = open_rows(
        context_, stage_, part, std::move(wanted),
        [&](const std::vector<bool>& scored) { return fingerprint(part, scored); },
        [&] { return ScoredPart::load_scored(context_.directory, spec_.name, part); });
    return PartPlan{.open = {part, std::move(rows.open)},
                    .extends = rows.extends,
                    .fingerprint = std::move(rows.fingerprint),
                    .count = rows.count};
  }

  std::string fingerprint(std::size_t part, const std::vector<bool>& rows) const {
    Fingerprint print;
    print.add(kScorePassVersion)
        .add(source_.fingerprint())
        .add(documents_[part].digest())
        .add(rows);
    return print.hex();
  }

  // Only what will be read is looked at: moving a line back reads no text.
  Result<void> prepare_source() {
    std::vector<RowsToScore> wanted;
    for (const PartPlan& plan : plans_) {
      if (plan.count == 0) continue;
      const std::size_t part = plan.open.part;
      constexpr const char* kTexts[] = {kNormalizedFolder};
      if (const auto broken =
              context_.ledger.broken_output(kDocuments, part, documents_[part], kTexts)) {
        return corrupt(
            "{}, which is to be scored by '{}', is gone or was changed after it was "
            "committed: run the recipe again",
            context_.directory.at(*broken), spec_.name);
      }
      wanted.push_back(plan.open);
      context_.newly_scored += plan.count;
    }
    if (wanted.empty()) return {};
    return source_.prepare(context_, wanted);
  }

  Result<Commit> score_part(const PartPlan& plan) const {
    const std::size_t part = plan.open.part;
    ScoredPart scores;
    if (plan.extends) {
      HEADRACE_ASSIGN_OR_RETURN(scores, ScoredPart::load(context_.directory, spec_.name, part));
    } else {
      HEADRACE_ASSIGN_OR_RETURN(MeasuredPart rows, MeasuredPart::load(context_, part, {}));
      scores = ScoredPart::unscored(std::move(rows.ids));
    }
    if (plan.count > 0) {
      if (const auto done = source_.score(context_, plan.open, &scores); !done)
        return done.error().with_context(fmt::format("scoring part {} by '{}'", part, spec_.name));
    }
    HEADRACE_RETURN_IF_ERROR(scores.write(context_.directory, spec_.name, part));
    Commit commit;
    commit.outputs.push_back({score_file(spec_.name, part), 0, ""});
    commit.numbers["rows"] = scores.ids.size();
    for (std::size_t row = 0; row < scores.ids.size(); ++row) {
      if (scores.scored[row] == 0) continue;
      ++commit.numbers["scored"];
      commit.numbers["invalid"] += std::isnan(scores.values[row]);
    }
    if (part == 0) commit.numbers["unknown_ids"] = source_.unknown_ids();
    return commit;
  }

  Context& context_;
  const std::vector<Commit>& documents_;
  const ScoreSpec& spec_;
  ScoreSource& source_;
  const std::size_t entry_;
  const std::string stage_;
  std::vector<PartPlan> plans_;
};

bool is_wanted(const Context& context, const std::string& name) {
  return std::any_of(context.recipe.scores.begin(), context.recipe.scores.end(),
                     [&](const ScoreSpec& spec) { return spec.name == name; });
}

}  // namespace

Result<std::vector<Commit>> score_pass(Context& context, const std::vector<Commit>& documents) {
  std::vector<Commit> all;
  for (std::size_t entry = 0; entry < context.recipe.scores.size(); ++entry) {
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Commit> commits,
                              EntryPass(context, documents, entry).run());
    std::move(commits.begin(), commits.end(), std::back_inserter(all));
  }
  return all;
}

void forget_other_scores(Context& context) {
  std::erase_if(context.finished, [&](const auto& stage) {
    return stage.first.starts_with(kScorePrefix) &&
           !is_wanted(context, stage.first.substr(std::string_view(kScorePrefix).size()));
  });
}

Result<void> remove_other_scores(const Context& context) {
  std::error_code error;
  const std::filesystem::directory_iterator folders(context.directory.at("tasks/score"), error);
  std::vector<std::string> others;
  for (const auto& entry : folders) {
    const std::string name = entry.path().filename().string();
    if (!is_wanted(context, name)) others.push_back(name);
  }
  for (const std::string& name : others) {
    HEADRACE_RETURN_IF_ERROR(context.ledger.forget_from(score_stage(name), 0));
    HEADRACE_RETURN_IF_ERROR(io::remove_all(context.directory.at("tasks/" + score_stage(name))));
    HEADRACE_RETURN_IF_ERROR(io::remove_all(context.directory.at(scores_folder(name))));
  }
  return {};
}

}  // namespace headrace::curate
