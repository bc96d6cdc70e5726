// SPDX-License-Identifier: Apache-2.0
// Scores that exist, of a run or of a file, joined with labelled documents by id. In strings: a
// run's ids are numbers that people write as "0:48213", and other tools have names of their own.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "headrace/result.h"
#include "headrace/score.h"

#include "curate/labelled_texts.h"

namespace headrace::curate {

// Only of the ids that are asked for.
class ScoresById {
 public:
  explicit ScoresById(const std::vector<LabelledRow>& rows);

  void put(const std::string& id, double value);
  // `scored`: the document came to the score.
  void put(std::uint64_t id, double value, bool scored = true);

  // The values of the rows that have one, and these rows; what has none is counted in `result`.
  std::vector<double> join(std::vector<LabelledRow>* rows, ScoreEvalResult* result) const;

 private:
  struct Entry {
    double value = std::numeric_limits<double>::quiet_NaN();
    bool there = false;
    bool scored = false;
  };

  std::unordered_map<std::string, Entry> found_;
};

// The score `name` of a run, of the documents that come to it by the run's recipe. Returns the kind
// of its model; "" where the recipe does not know the score.
Result<std::string> read_run_scores(const std::string& run, const std::string& name,
                                    ScoresById* scores);

// ScoreEvalOptions::scores.
Result<void> read_score_file(const ScoreEvalOptions& options, ScoresById* scores);

}  // namespace headrace::curate
