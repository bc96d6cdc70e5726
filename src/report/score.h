// SPDX-License-Identifier: Apache-2.0
// How well a score finds what people labelled: a page of its own, or a section of a run's report.
#pragma once

#include <optional>
#include <string>

#include "headrace/score.h"

namespace headrace::report {

struct ScoreReport {
  std::string name;      // of the model's file, or of the score
  std::string kind;      // "" = unknown
  std::string positive;  // "" = unknown
  std::string version;   // of headrace
  ScoreEvaluation evaluation;
  std::optional<double> line =
      std::nullopt;  // the bound of the recipe, where it is not the best F1's threshold
};

// The page: the rules of render_html() in report.h hold for it as well.
std::string render_score(const ScoreReport& report);

}  // namespace headrace::report
