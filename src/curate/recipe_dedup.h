// SPDX-License-Identifier: Apache-2.0
// The section `dedup` of a recipe: which documents are copies of others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "curate/recipe_spans.h"
#include "dedup/near.h"

namespace headrace {

namespace curate {

class Faults;

// Nothing set: no duplicates are looked for.
struct DedupSpec {
  std::optional<std::vector<std::string>> exact_view;  // steps of the view whose hash is compared
  std::optional<dedup::NearOptions> near;
  SpanSpec spans;       // what goes from texts that are kept
  std::string against;  // run directory of an earlier run, as written; "" = none

  // What both kinds need of a document: content hash, length, hash of the view.
  bool needs_hashes() const { return exact_view || near; }
};

DedupSpec read_dedup(const YAML::Node& node, Faults& faults);

}  // namespace curate
}  // namespace headrace
