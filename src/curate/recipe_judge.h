// SPDX-License-Identifier: Apache-2.0
// The section `judge` of a recipe.
#pragma once

#include "curate/recipe.h"
#include "curate/yaml_check.h"

namespace headrace::curate {

// Reads the section into recipe.judge and recipe.judge_domains; sources and scores are read
// before.
void read_judge(const YAML::Node& node, Recipe::Data& recipe, Faults& faults);

}  // namespace headrace::curate
