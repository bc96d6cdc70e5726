// SPDX-License-Identifier: Apache-2.0
#include "curate/score_reach.h"

#include "base/error.h"
#include "curate/judge_columns.h"
#include "curate/measure_columns.h"

namespace headrace::curate {

Result<ScoreReach> ScoreReach::make(const Context& context, std::size_t entry) {
  const std::size_t group = entry + 1;
  HEADRACE_ASSIGN_OR_RETURN(const auto rules, resolve_rules(context, group));
  HEADRACE_ASSIGN_OR_RETURN(judge::Judge judge, make_judge(context.recipe, rules, group));
  return ScoreReach(context, entry, std::move(judge));
}

Result<std::vector<bool>> ScoreReach::rows(std::size_t part) const {
  HEADRACE_ASSIGN_OR_RETURN(const JudgedPart judged, JudgedPart::load(*context_, judge_, part));
  std::vector<bool> rows(judged.ids.size());
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row] = judged.verdicts.kept(row);
  return rows;
}

Result<ScoredPart> ScoreReach::load(std::size_t part) const {
  HEADRACE_ASSIGN_OR_RETURN(ScoredPart scores,
                            ScoredPart::load(context_->directory, spec().name, part));
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<bool> comes, rows(part));
  if (comes.size() != scores.ids.size()) {
    return corrupt("{} does not have the documents of its part: remove tasks/{} and run again",
                   context_->directory.at(score_file(spec().name, part)), score_stage(spec().name));
  }
  for (std::size_t row = 0; row < comes.size(); ++row) {
    if (!comes[row]) scores.forget(row);
  }
  return scores;
}

Result<std::vector<ScoreReach>> finished_scores(const Context& context) {
  std::vector<ScoreReach> scores;
  for (std::size_t entry = 0; entry < context.recipe.scores.size(); ++entry) {
    if (!context.finished.contains(score_stage(context.recipe.scores[entry].name))) break;
    HEADRACE_ASSIGN_OR_RETURN(ScoreReach reach, ScoreReach::make(context, entry));
    scores.push_back(std::move(reach));
  }
  return scores;
}

}  // namespace headrace::curate
