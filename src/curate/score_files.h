// SPDX-License-Identifier: Apache-2.0
// Score files: RUN/scores/NAME/part-NNNNN.parquet, row by row with the documents. Part of the
// format; see docs/formats/scores.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headrace/result.h"
#include "headrace/run.h"

#include "curate/recipe_score.h"
#include "curate/run_directory.h"

namespace headrace::curate {

std::string scores_folder(const std::string& name);
std::string score_file(const std::string& name, std::size_t part);

// What an entry of the score section says of the rows of one part.
struct ScoredPart {
  static constexpr std::uint32_t kNoLabel = 0;

  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> scored;  // 0 or 1
  std::vector<double> values;         // NaN = none
  std::vector<std::string> labels = {""};
  std::vector<std::uint32_t> label;  // row → index in `labels`; kNoLabel = none

  static ScoredPart unscored(std::vector<std::uint64_t> ids);
  static Result<ScoredPart> load(const RunDirectory& directory, const std::string& name,
                                 std::size_t part);
  // Only which rows are scored.
  static Result<std::vector<bool>> load_scored(const RunDirectory& directory,
                                               const std::string& name, std::size_t part);

  void set(std::size_t row, double value, std::string_view text);
  // As if the row had never been scored.
  void forget(std::size_t row);
  // Puts the file into its place.
  Result<void> write(const RunDirectory& directory, const std::string& name,
                     std::size_t part) const;
};

// The score of one row, for people.
ScoreView view_of(const ScoredPart& scores, const ScoreSpec& spec, std::size_t row);

}  // namespace headrace::curate
