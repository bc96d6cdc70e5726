// SPDX-License-Identifier: Apache-2.0
// The section `score` of a recipe: models whose word on a text becomes a column.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "base/options.h"

namespace headrace {

namespace score {
struct ScoreRange;
}

namespace curate {

class Faults;
class Section;

// Kinds that are no model in this process.
inline constexpr const char* kExternalKind = "external";
inline constexpr const char* kMindSporeKind = "mindspore";
inline constexpr const char* kLanguageKind = "language";

// One entry of the section.
struct ScoreSpec {
  std::string name;               // of the column
  std::string kind;               // of score::registry(), or one of those above
  OptionValues options;           // of the kind; defaults filled in where no card may come first
  std::vector<std::string> keep;  // labels; empty = every label
  std::optional<double> min;
  std::optional<double> max;
  // `min`, or `max`, comes from the model's card, when the run starts.
  bool min_is_best_f1 = false;
  bool max_is_best_f1 = false;
  bool drop_null = true;  // a scored text without a value goes
  int line = 0;           // in the recipe, for messages

  // The bound that the card gives; nullptr where none is asked of it.
  std::optional<double>* bound_of_card() {
    return min_is_best_f1 ? &min : max_is_best_f1 ? &max : nullptr;
  }
};

// What the kinds take that score::registry() does not know, and those that it does.
const std::vector<OptionInfo>& score_options(const std::string& kind);
std::vector<std::string> score_kinds();

// Where the scores of a kind lie; of kinds that are no model in this process: anywhere.
score::ScoreRange score_range(const std::string& kind);
// The fault for a bound that no score of the kind can reach, or all are beyond: it would drop, or
// keep, every document.
void check_score_bounds(Section& section, const std::string& kind, const std::optional<double>& min,
                        const std::optional<double>& max);

// Reads the section; the order of its list is the order of scoring. `measures`: names that a column
// must not have.
std::vector<ScoreSpec> read_score(const YAML::Node& node, const std::vector<std::string>& measures,
                                  Faults& faults);

}  // namespace curate
}  // namespace headrace
