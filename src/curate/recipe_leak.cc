// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe_leak.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "curate/yaml_check.h"

namespace headrace::curate {
namespace {

constexpr std::uint64_t kMostSampled = 100'000'000;

constexpr std::pair<LeakVerdict, const char*> kVerdicts[] = {
    {LeakVerdict::kDrop, "drop"},
    {LeakVerdict::kFlag, "flag"},
    {LeakVerdict::kRemoveSpan, "remove_span"}};

void read_set(const YAML::Node& node, const std::string& name, LeakSpec* spec, Faults& faults) {
  LeakSet set;
  if (node.IsScalar()) {
    set.paths = {node.Scalar()};
    set.line = line_of(node);
    spec->against.push_back(std::move(set));
    return;
  }
  Section section(node, name, faults);
  set.line = section.line();
  section.read("name", &set.name);
  section.read_list("paths", &set.paths);
  if (node.IsMap() && set.paths.empty())
    faults.add(set.line, fmt::format("'{}' is needed: a list of globs", section.full("paths")));
  section.read("id", &set.id);
  section.read("question", &set.question);
  section.read_list("options", &set.options);
  section.read("answer", &set.answer);
  section.read("passage", &set.passage);
  section.read("report_only", &set.report_only);
  section.finish();
  if (set.has_fields() && set.question.empty() && set.passage.empty()) {
    faults.add(set.line, fmt::format("'{}' is needed beside options and answers: the field of the "
                                     "question (or 'passage')",
                                     section.full("question")));
  }
  if (set.report_only && set.name.empty()) {
    faults.add(set.line, fmt::format("'{}' is needed with 'report_only': hits are told by it",
                                     section.full("name")));
  }
  if (!set.id.empty() && !set.has_fields()) {
    faults.add(set.line, fmt::format("'{}' goes with '{}': fields are told together or not at all",
                                     section.full("id"), section.full("question")));
  }
  if (node.IsMap()) spec->against.push_back(std::move(set));
}

void check_names(const LeakSpec& spec, Faults& faults) {
  std::set<std::string> seen;
  for (const LeakSet& set : spec.against) {
    if (!set.name.empty() && !seen.insert(set.name).second)
      faults.add(set.line, fmt::format("leak.against: two sets have the name '{}'", set.name));
  }
}

}  // namespace

bool LeakSpec::is_report_only(std::string_view set) const {
  return std::any_of(against.begin(), against.end(),
                     [&](const LeakSet& one) { return one.report_only && one.name == set; });
}

const char* name_of(LeakVerdict verdict) {
  for (const auto& [known, name] : kVerdicts) {
    if (known == verdict) return name;
  }
  return "";
}

std::optional<LeakSpec> read_leak(const YAML::Node& node, Faults& faults) {
  Section section(node, "leak", faults);
  LeakSpec spec;
  spec.line = section.line();
  const YAML::Node against = section.find("against");
  if (against.IsDefined() && against.IsSequence()) {
    for_each_item(against, [&](const YAML::Node& set, std::size_t place) {
      read_set(set, fmt::format("leak.against[{}]", place), &spec, faults);
    });
  } else if (against.IsDefined()) {
    read_set(against, "leak.against", &spec, faults);
  }
  if (!against.IsDefined() || (against.IsSequence() && against.size() == 0)) {
    faults.add(spec.line,
               "'leak.against' is needed: the files of held-out items that documents are checked "
               "against; without them a check would find nothing");
  }
  check_names(spec, faults);
  std::string ngram = "auto";
  section.read_choice("ngram", &ngram, {"auto"});
  std::string verdict = name_of(spec.verdict);
  std::vector<std::string> verdicts;
  for (const auto& [known, name] : kVerdicts) verdicts.emplace_back(name);
  section.read_choice("verdict", &verdict, verdicts);
  for (const auto& [known, name] : kVerdicts) {
    if (verdict == name) spec.verdict = known;
  }
  section.read("sample", &spec.sample, 1, kMostSampled);
  section.finish();
  return spec;
}

std::optional<ValidationSpec> read_validation(const YAML::Node& node, Faults& faults) {
  Section section(node, "mix.validation", faults);
  ValidationSpec spec;
  section.read("share", &spec.share, 0, 1);
  if (!(spec.share > 0 && spec.share < 1)) {
    faults.add(section.line(),
               "'mix.validation.share' is needed: the share of source documents that is held out, "
               "more than 0 and less than 1");
  }
  std::string by = "source_document";
  section.read_choice("by", &by, {"source_document", "file", "field"});
  if (by == "file") spec.by = SourceDocument::kFile;
  if (by == "field") spec.by = SourceDocument::kField;
  section.read("field", &spec.field);
  if ((by == "field") == spec.field.empty()) {
    faults.add(section.line(), by == "field" ? "'mix.validation.field' is needed with by: field: "
                                               "the field that names the source document"
                                             : "'mix.validation.field' goes with by: field");
  }
  std::string leaks = "drop";
  section.read_choice("leaks", &leaks, {"drop", "flag", "ignore"});
  spec.drop_leaks = leaks == "drop";
  spec.check_leaks = leaks != "ignore";
  section.finish();
  return spec;
}

}  // namespace headrace::curate
