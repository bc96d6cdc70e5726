// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe_dedup.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "curate/yaml_check.h"
#include "io/uri.h"

namespace headrace::curate {
namespace {

// `key: true`, `key: false`, `key:` with a map, or no such key.
enum class Switch { kOff, kOn, kMap };

Switch read_switch(Section& section, const char* key) {
  const YAML::Node node = section.find(key);
  if (!node.IsDefined()) return Switch::kOff;
  if (!node.IsScalar()) return Switch::kMap;
  bool on = true;
  section.read(key, &on);
  return on ? Switch::kOn : Switch::kOff;
}

void read_exact(Section& section, Faults& faults, DedupSpec* spec) {
  std::vector<std::string> view = {"nfkc", "casefold", "whitespace"};
  const YAML::Node exact = section.find("exact");
  if (!exact.IsMap()) {
    spec->exact_view = view;
    return;
  }
  Section exact_section(exact, "dedup.exact", faults);
  exact_section.read_list("view", &view);
  static const std::vector<std::string> known = {"nfkc", "casefold", "whitespace", "punctuation"};
  for (const std::string& step : view) {
    if (std::find(known.begin(), known.end(), step) == known.end()) {
      faults.add(line_of(exact),
                 fmt::format("'dedup.exact.view' has no '{}'{}", step, suggestion(step, known)));
    }
  }
  const bool documents = read_levels(exact_section, &spec->spans);
  exact_section.finish();
  spec->spans.view = view;
  if (documents) spec->exact_view = std::move(view);
}

void read_ngram(Section& section, dedup::NearOptions* near) {
  const YAML::Node node = section.find("ngram");
  if (!node.IsDefined() || (node.IsScalar() && node.Scalar() == "auto")) return;
  std::uint64_t words = 0;
  section.read("ngram", &words, 1, dedup::kMostNgram);
  near->signature.ngram = static_cast<std::uint32_t>(words);
}

void read_method(Section& section, dedup::NearOptions* near) {
  std::string method = "sketch";
  section.read_choice("method", &method, {"sketch", "minhash"});
  near->signature.method =
      method == "minhash" ? dedup::SignatureMethod::kMinHash : dedup::SignatureMethod::kSketch;
}

std::uint32_t read_count(Section& section, const char* key, std::uint64_t low, std::uint64_t high) {
  std::uint64_t count = 0;
  if (section.find(key).IsDefined()) section.read(key, &count, low, high);
  return static_cast<std::uint32_t>(count);
}

dedup::NearOptions read_near(const YAML::Node& node, Faults& faults) {
  dedup::NearOptions near;
  Section section(node, "dedup.near", faults);
  read_ngram(section, &near);
  std::uint64_t permutations = near.signature.permutations;
  section.read("permutations", &permutations, dedup::kLeastPermutations, dedup::kMostPermutations);
  near.signature.permutations = static_cast<std::uint32_t>(permutations);
  section.read("threshold", &near.threshold, 0.1, 1);
  near.bands.count = read_count(section, "bands", 1, dedup::kMostPermutations);
  near.bands.rows = read_count(section, "rows", 1, dedup::kMostPermutations);
  read_method(section, &near);
  section.finish();
  if (const auto complete = dedup::complete(&near); !complete)
    faults.add(section.line(), "'dedup.near': " + complete.error().message());
  return near;
}

}  // namespace

DedupSpec read_dedup(const YAML::Node& node, Faults& faults) {
  DedupSpec spec;
  Section section(node, "dedup", faults);
  const Switch exact = read_switch(section, "exact");
  if (exact != Switch::kOff) read_exact(section, faults, &spec);
  const Switch near = read_switch(section, "near");
  if (near == Switch::kMap) spec.near = read_near(section.find("near"), faults);
  if (near == Switch::kOn) spec.near = read_near(YAML::Node(YAML::NodeType::Map), faults);
  section.read("against", &spec.against);
  if (!spec.against.empty()) {
    if (!spec.needs_hashes()) {
      section.fault(section.find("against"),
                    "'dedup.against' needs 'dedup.exact', 'dedup.near' or both: they say what is a "
                    "copy");
    }
    if (io::is_remote(spec.against)) {
      section.fault(section.find("against"),
                    not_in_this_version("dedup.against: " + io::public_name(spec.against)));
    }
  }
  read_substring(section, &spec.spans);
  section.finish();
  return spec;
}

}  // namespace headrace::curate
