// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe_score.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/suggest.h"
#include "curate/yaml_check.h"
#include "score/score.h"

namespace headrace::curate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kLongestName = 64;

// A name is a folder, a column and the beginning of reasons.
bool is_name(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= kLongestName &&
         std::all_of(name.begin(), name.end(), fits);
}

void read_option(Section& section, const OptionInfo& info, ScoreSpec* spec) {
  std::string value = info.default_value;
  if (info.list) {
    std::vector<std::string> list = split_list(value);
    section.read_list(info.name, &list);
    value = fmt::format("{}", fmt::join(list, ","));
  } else if (!info.allowed.empty()) {
    section.read_choice(info.name, &value, info.allowed);
  } else {
    section.read(info.name, &value);
  }
  // What is not said here a model's card may say, before the default does.
  const bool has_card = score::registry().find(spec->kind) != nullptr;
  if (has_card && !section.find(info.name).IsDefined()) return;
  if (!value.empty()) spec->options[info.name] = value;
}

// A number, or best_f1: true.
bool read_bound(Section& section, const char* key, const ScoreSpec& spec,
                std::optional<double>* value) {
  const YAML::Node node = section.find(key);
  if (node.IsDefined() && node.IsScalar() && node.Scalar() == "best_f1") {
    if (spec.kind == kExternalKind) {
      section.fault(node, fmt::format("'{}' cannot be best_f1: a file of scores has no model card; "
                                      "write the number",
                                      section.full(key)));
    }
    return true;
  }
  double bound = std::numeric_limits<double>::quiet_NaN();
  section.read(key, &bound, -kInfinity, kInfinity);
  if (bound == bound) *value = bound;
  return false;
}

void read_bounds(Section& section, ScoreSpec* spec) {
  spec->min_is_best_f1 = read_bound(section, "min", *spec, &spec->min);
  spec->max_is_best_f1 = read_bound(section, "max", *spec, &spec->max);
  if (spec->min_is_best_f1 && spec->max_is_best_f1) {
    section.faults().add(section.line(),
                         fmt::format("'{}' and 'max' are both best_f1: a card has one, a min, or a "
                                     "max where low scores are better",
                                     section.full("min")));
  }
  check_score_bounds(section, spec->kind, spec->min, spec->max);
  if (spec->min && spec->max && *spec->min > *spec->max) {
    section.faults().add(section.line(), fmt::format("'{}' {} is above 'max' {}",
                                                     section.full("min"), *spec->min, *spec->max));
  }
}

// What becomes of a text that was scored and got no value. A language that cannot be told is no
// fault of the text; a model that fails on a text is never a reason to keep it.
void read_null(Section& section, ScoreSpec* spec) {
  const bool language = spec->kind == kLanguageKind;
  std::string what = language ? "keep" : "drop";
  section.read_choice(language ? "undetermined" : "invalid", &what, {"drop", "keep"});
  spec->drop_null = what == "drop";
}

std::string kind_of(Section& section, const std::string& key) {
  if (key == kExternalKind || key == kLanguageKind) return key;
  std::string kind;
  std::vector<std::string> kinds = score_kinds();
  std::erase(kinds, kExternalKind);
  section.read_choice("kind", &kind, kinds);
  if (kind.empty() && !section.find("kind").IsDefined()) {
    section.faults().add(section.line(), fmt::format("'{}' is needed: one of {}",
                                                     section.full("kind"), fmt::join(kinds, ", ")));
  }
  return kind;
}

void read_entry(const std::string& key, const YAML::Node& node, std::vector<ScoreSpec>* specs,
                Faults& faults) {
  const std::string name = fmt::format("score.{}", key);
  faults.key(name);
  Section section(node, name, faults);
  ScoreSpec spec;
  spec.name = key;
  spec.line = section.line();
  spec.kind = kind_of(section, key);
  if (spec.kind.empty()) return;  // its options are not known
  if (spec.kind == kExternalKind) {
    spec.name.clear();
    section.read("column", &spec.name);
    if (spec.name.empty())
      faults.add(spec.line,
                 fmt::format("'{}' is needed: the column of the scores", section.full("column")));
  }
  for (const OptionInfo& option : score_options(spec.kind)) {
    read_option(section, option, &spec);
    const bool needed = option.name == "model" || option.name == "path";
    if (needed && !spec.options.contains(option.name)) {
      faults.add(spec.line,
                 fmt::format("'{}' is needed: {}", section.full(option.name), option.summary));
    }
  }
  if (spec.kind == kLanguageKind) section.read_list("keep", &spec.keep);
  read_bounds(section, &spec);
  read_null(section, &spec);
  section.finish();
  specs->push_back(std::move(spec));
}

}  // namespace

const std::vector<OptionInfo>& score_options(const std::string& kind) {
  static const std::vector<OptionInfo> external = {
      {"path", "", {}, "Parquet files with `id` and the column; a glob of local paths"}};
  static const std::vector<OptionInfo> mindspore = {
      {"model", "", {}, "path of a MindIR model or a checkpoint"},
      {"tokenizer", "", {}, "path of its tokenizer.json or vocab.txt"},
      {"max_length", "", {}, "tokens of a text that the model sees; without, as the model says"},
      {"batch", "", {}, "texts at once"},
      {"python",
       "",
       {},
       "the interpreter that has MindSpore; without, $HEADRACE_PYTHON, then "
       "python3; speed only"}};
  static const std::vector<OptionInfo> none;
  if (kind == kExternalKind) return external;
  if (kind == kMindSporeKind) return mindspore;
  const score::ScorerInfo* info = score::registry().find(kind);
  return info == nullptr ? none : info->options;
}

std::vector<std::string> score_kinds() {
  std::vector<std::string> kinds = score::registry().names();
  kinds.emplace_back(kMindSporeKind);
  kinds.emplace_back(kExternalKind);
  return kinds;
}

score::ScoreRange score_range(const std::string& kind) {
  const score::ScorerInfo* const info = score::registry().find(kind);
  if (info != nullptr) return info->range;
  return {.least = -kInfinity, .most = kInfinity};
}

void check_score_bounds(Section& section, const std::string& kind, const std::optional<double>& min,
                        const std::optional<double>& max) {
  const score::ScoreRange range = score_range(kind);
  for (const auto& [key, bound] : {std::pair("min", min), std::pair("max", max)}) {
    if (!bound || (*bound >= range.least && *bound <= range.most)) continue;
    section.faults().add(
        section.line(),
        fmt::format("'{}' is {}: scores of the kind {} go from {} {}", section.full(key), *bound,
                    kind, range.least,
                    range.most == kInfinity ? "upwards" : fmt::format("to {}", range.most)));
  }
}

std::vector<ScoreSpec> read_score(const YAML::Node& node, const std::vector<std::string>& measures,
                                  Faults& faults) {
  std::vector<ScoreSpec> specs;
  if (!node.IsSequence()) {
    faults.add(line_of(node),
               "'score' must be a list: - language: {model: lid.176.ftz, keep: [zh]}");
    return specs;
  }
  for (const YAML::Node& entry : node) {
    if (!entry.IsMap() || entry.size() != 1 || !entry.begin()->first.IsScalar()) {
      faults.add(line_of(entry),
                 "score: each entry is one name with its keys: quality: {kind: fasttext, ...}");
      continue;
    }
    const std::string key = entry.begin()->first.Scalar();
    const std::size_t before = specs.size();
    read_entry(key, entry.begin()->second, &specs, faults);
    if (specs.size() == before) continue;
    const ScoreSpec& spec = specs.back();
    const int line = line_of(entry);
    if (!spec.name.empty() && !is_name(spec.name)) {
      faults.add(line, fmt::format("score: '{}' cannot be a name: it is a folder and a column, of "
                                   "letters, digits and '_'",
                                   spec.name));
    }
    if (std::find(measures.begin(), measures.end(), spec.name) != measures.end())
      faults.add(line, fmt::format("score: '{}' is a measure: choose another name", spec.name));
    for (std::size_t i = 0; i < before; ++i) {
      if (specs[i].name == spec.name)
        faults.add(line, fmt::format("score: '{}' stands twice", spec.name));
    }
  }
  return specs;
}

}  // namespace headrace::curate
