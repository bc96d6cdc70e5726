// SPDX-License-Identifier: Apache-2.0
// Where the scores of an entry of the recipe come from: a model of this process, files that
// somebody made, or a worker of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.h"
#include "headrace/score.h"

#include "curate/recipe_score.h"
#include "curate/score_files.h"

namespace headrace::curate {

struct Context;

// Rows of one part that are to be scored now.
struct RowsToScore {
  std::size_t part = 0;
  std::vector<bool> rows;
};

// Opened when the run starts. score() is thread-safe.
class ScoreSource {
 public:
  virtual ~ScoreSource() = default;
  // Of all that a score depends on but the text: the model's bytes, its options.
  virtual const std::string& fingerprint() const = 0;
  // Called once before the tasks, with all that they will ask for; not called when that is nothing.
  virtual Result<void> prepare(Context& context, const std::vector<RowsToScore>& wanted) {
    (void)context;
    (void)wanted;
    return {};
  }
  // Sets each wanted row of `scores`, which holds all rows of the part.
  virtual Result<void> score(const Context& context, const RowsToScore& wanted,
                             ScoredPart* scores) = 0;
  // Called when all is committed.
  virtual Result<void> finish(const Context& context) {
    (void)context;
    return {};
  }
  // Ids that no document of the run has; found by prepare().
  virtual std::uint64_t unknown_ids() const { return 0; }
};

// One for each way; each checks all that can be known without a document.
Result<std::unique_ptr<ScoreSource>> open_model_source(const ScoreSpec& spec,
                                                       const std::optional<ModelCard>& card);
Result<std::unique_ptr<ScoreSource>> open_external_source(const ScoreSpec& spec);
Result<std::unique_ptr<ScoreSource>> open_mindspore_source(const ScoreSpec& spec);

// Opens the sources of all entries into the context and looks up the thresholds that a model card
// holds.
Result<void> prepare_scores(Context& context);

}  // namespace headrace::curate
