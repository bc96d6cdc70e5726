// SPDX-License-Identifier: Apache-2.0
// Which documents come to an entry of the score section by the recipe at hand: those that no rule
// on a measure, nor on an entry before it, drops. A score file may hold more, left by an earlier,
// looser recipe (docs/formats/scores.md), so whoever shows or counts scores asks here.
#pragma once

#include <cstdint>
#include <vector>

#include "curate/context.h"
#include "curate/score_files.h"
#include "judge/judge.h"

namespace headrace::curate {

class ScoreReach {
 public:
  // Of entry `entry` of the recipe's section. Needs the documents and the entries before it
  // finished.
  static Result<ScoreReach> make(const Context& context, std::size_t entry);

  // By row of a part.
  Result<std::vector<bool>> rows(std::size_t part) const;
  // The scores of a part as if no earlier recipe had left any.
  Result<ScoredPart> load(std::size_t part) const;
  const ScoreSpec& spec() const { return context_->recipe.scores[entry_]; }

 private:
  ScoreReach(const Context& context, std::size_t entry, judge::Judge judge)
      : context_(&context), entry_(entry), judge_(std::move(judge)) {}

  const Context* context_;
  std::size_t entry_;
  judge::Judge judge_;
};

// Of all entries whose stage is finished, in their order.
Result<std::vector<ScoreReach>> finished_scores(const Context& context);

}  // namespace headrace::curate
