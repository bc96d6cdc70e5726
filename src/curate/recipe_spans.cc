// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe_spans.h"

#include <algorithm>

#include "base/error.h"
#include "base/suggest.h"
#include "curate/yaml_check.h"
#include "dedup/anchors.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kMostCodePoints = 1U << 20;

std::uint32_t read_code_points(Section& section, const char* key, std::uint32_t value,
                               std::uint64_t low) {
  std::uint64_t count = value;
  section.read(key, &count, low, kMostCodePoints);
  return static_cast<std::uint32_t>(count);
}

}  // namespace

bool read_levels(Section& exact, SpanSpec* spans) {
  std::vector<std::string> levels = {"document"};
  exact.read_list("level", &levels);
  static const std::vector<std::string> known = {"document", "paragraph", "line"};
  exact.note_choices("level", known);
  const auto has = [&](const char* level) {
    return std::find(levels.begin(), levels.end(), level) != levels.end();
  };
  for (const std::string& level : levels) {
    if (std::find(known.begin(), known.end(), level) == known.end()) {
      exact.fault(exact.find("level"), fmt::format("'{}' has no '{}'{}", exact.full("level"), level,
                                                   suggestion(level, known)));
    }
  }
  if (levels.empty()) exact.fault(exact.find("level"), "'dedup.exact.level' is an empty list");
  spans->paragraphs = has("paragraph");
  spans->lines = has("line");
  spans->min_code_points = read_code_points(exact, "min_code_points", spans->min_code_points, 1);
  return has("document");
}

void read_substring(Section& dedup, SpanSpec* spans) {
  const YAML::Node node = dedup.find("substring");
  if (node.IsDefined()) {
    bool on = true;
    std::uint32_t code_points = 100;
    if (node.IsScalar()) {
      dedup.read("substring", &on);
    } else {
      Section section(node, dedup.full("substring"), dedup.faults());
      code_points = read_code_points(section, "min_code_points", code_points,
                                     dedup::AnchorFinder::kLeastWindow);
      section.finish();
    }
    if (on) spans->substring_code_points = code_points;
  }
  spans->min_rest = read_code_points(dedup, "min_rest", spans->min_rest, 1);
}

}  // namespace headrace::curate
