// SPDX-License-Identifier: Apache-2.0
#include "curate/recipe_judge.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/suggest.h"
#include "curate/judge_columns.h"

namespace headrace::curate {
namespace {

// "p5..p95" → percentiles.
bool parse_auto(std::string_view text, judge::Rule* rule) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return false;
  const auto percentile = [](std::string_view part, std::optional<double>* out) {
    if (part.empty()) return true;
    if (part.front() != 'p') return false;
    double value = 0;
    const YAML::Node node{std::string(part.substr(1))};
    if (!YAML::convert<double>::decode(node, value) || !(value >= 0 && value <= 100)) return false;
    *out = value;
    return true;
  };
  return percentile(text.substr(0, dots), &rule->auto_min_percentile) &&
         percentile(text.substr(dots + 2), &rule->auto_max_percentile) &&
         (rule->auto_min_percentile || rule->auto_max_percentile);
}

// `min` and `max` of a rule or a condition, which `section` holds under `name`.
template <class Bounds>
void read_bounds(Section& section, const std::string& name, Bounds* bounds) {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  double bound = std::nan("");
  section.read("min", &bound, -kAny, kAny);
  if (!std::isnan(bound)) bounds->min = bound;
  bound = std::nan("");
  section.read("max", &bound, -kAny, kAny);
  if (!std::isnan(bound)) bounds->max = bound;
  if (bounds->min && bounds->max && *bounds->min > *bounds->max) {
    section.faults().add(section.line(), fmt::format("'{}': min {} is above max {}", name,
                                                     *bounds->min, *bounds->max));
  }
}

// A bound on a score lies where its scores do.
template <class Bounds>
void check_score(Section& section, const Recipe::Data& recipe, const Bounds& bounds) {
  const ScoreSpec* const spec = score_of(recipe, bounds.column);
  if (spec == nullptr || is_label_flag(*spec, bounds.column)) return;
  check_score_bounds(section, spec->kind, bounds.min, bounds.max);
}

// Calls read(column, node) for the entries of a map of measures and scores; other names are faults.
template <class Read>
void for_each_measure(const YAML::Node& node, const std::string& name, const Recipe::Data& recipe,
                      Faults& faults, Read read) {
  if (!node.IsDefined()) return;
  if (!node.IsMap()) {
    return faults.add(line_of(node),
                      fmt::format("'{}' must be a map: {{code_points: {{min: 20}}}}", name));
  }
  const std::vector<std::string> columns = judge_columns(recipe);
  std::vector<std::string> seen;
  for (const auto& entry : node) {
    const std::string column = entry.first.Scalar();
    if (std::find(seen.begin(), seen.end(), column) != seen.end())
      faults.add(line_of(entry.first), fmt::format("'{}.{}' stands twice", name, column));
    seen.push_back(column);
    if (std::find(columns.begin(), columns.end(), column) == columns.end()) {
      faults.add(line_of(entry.first), fmt::format("unknown measure '{}.{}'{}", name, column,
                                                   suggestion(column, columns)));
      continue;
    }
    read(column, entry.second);
  }
}

void read_rules(const YAML::Node& node, const std::string& name, const Recipe::Data& recipe,
                std::vector<judge::Rule>* rules, Faults& faults) {
  for_each_measure(
      node, name, recipe, faults, [&](const std::string& column, const YAML::Node& value) {
        judge::Rule rule;
        rule.column = column;
        rule.origin.place = name;
        const std::string full = fmt::format("{}.{}", name, column);
        Section section(value, full, faults);
        rule.origin.line = section.line();
        read_bounds(section, full, &rule);
        check_score(section, recipe, rule);
        std::string range;
        section.read("auto", &range);
        if (!range.empty() && !parse_auto(range, &rule)) {
          faults.add(section.line(),
                     fmt::format("'{}' must be percentiles such as p5..p95, not '{}'",
                                 section.full("auto"), range));
        }
        if (rule.auto_min_percentile && rule.auto_max_percentile &&
            *rule.auto_min_percentile > *rule.auto_max_percentile) {
          faults.add(section.line(),
                     fmt::format("'{}': p{} is above p{}", section.full("auto"),
                                 *rule.auto_min_percentile, *rule.auto_max_percentile));
        }
        for (const auto& [automatic, written, key] :
             {std::tuple(rule.auto_min_percentile, rule.min, "min"),
              std::tuple(rule.auto_max_percentile, rule.max, "max")}) {
          if (automatic && written) {
            faults.add(section.line(), fmt::format("'{}' and '{}' both give the {}: keep one",
                                                   section.full("auto"), section.full(key), key));
          }
        }
        std::string null = drops_null(recipe, column) ? "drop" : "keep";
        section.read_choice("null", &null, {"keep", "drop"});
        rule.drop_null = null == "drop";
        section.finish();
        rules->push_back(std::move(rule));
      });
}

// A bucket on a score cannot decide whether a document comes to be scored.
void check_bucket_order(const judge::Bucket& bucket, const Section& section,
                        const Recipe::Data& recipe, Faults& faults) {
  for (const judge::Condition& condition : bucket.when) {
    for (const judge::Rule& rule : bucket.rules) {
      if (group_of(recipe, rule.column) >= group_of(recipe, condition.column)) continue;
      faults.add(
          section.line(),
          fmt::format("'{}': the rule on '{}' is judged before '{}' is scored: a bucket on a "
                      "score holds rules on it and on later scores",
                      section.full("rules"), rule.column, condition.column));
    }
  }
}

void read_bucket(const YAML::Node& node, const std::string& name, const Recipe::Data& recipe,
                 judge::RuleSet* set, Faults& faults) {
  Section section(node, name, faults);
  judge::Bucket bucket;
  for_each_measure(
      section.find("when"), section.full("when"), recipe, faults,
      [&](const std::string& column, const YAML::Node& value) {
        judge::Condition condition{column, {}, {}};
        const std::string full = fmt::format("{}.{}", section.full("when"), column);
        Section bounds(value, full, faults);
        read_bounds(bounds, full, &condition);
        check_score(bounds, recipe, condition);
        if (!value.IsDefined() || value.IsNull() || (value.IsMap() && value.size() == 0)) {
          faults.add(bounds.line(), fmt::format("'{}' needs a min or a max: without "
                                                "bounds it is no condition",
                                                full));
        }
        bounds.finish();
        bucket.when.push_back(std::move(condition));
      });
  if (bucket.when.empty()) {
    faults.add(section.line(), fmt::format("'{}' is needed: bounds on measures, such as "
                                           "{{code_points: {{max: 500}}}}",
                                           section.full("when")));
  }
  const YAML::Node rules = section.find("rules");
  read_rules(rules, section.full("rules"), recipe, &bucket.rules, faults);
  if (!rules.IsDefined() || (rules.IsMap() && rules.size() == 0)) {
    faults.add(section.line(), fmt::format("'{}' is needed: rules for these documents; one without "
                                           "bounds lifts a rule, as in {{code_points: {{}}}}",
                                           section.full("rules")));
  }
  check_bucket_order(bucket, section, recipe, faults);
  section.finish();
  set->buckets.push_back(std::move(bucket));
}

void read_preset(Section& section, std::string* preset) {
  const YAML::Node node = section.find("preset");
  section.read("preset", preset);
  section.note_choices("preset", judge::registry().names());
  if (preset->empty()) return;
  if (const auto known = judge::find_preset(*preset); !known)
    section.fault(node, known.error().message());
}

// `languages: {zh: {preset: fineweb2-zh, rules: {...}}}`: rules for texts in that script.
void read_languages(const YAML::Node& node, const std::string& name, const Recipe::Data& recipe,
                    judge::RuleSet* set, Faults& faults) {
  if (!node.IsDefined()) return;
  Section section(node, name, faults);
  for (const judge::Language& language : judge::languages()) {
    const YAML::Node found = section.find(language.name);
    if (!found.IsDefined()) continue;
    Section own(found, section.full(language.name), faults);
    std::string preset;
    read_preset(own, &preset);
    judge::RuleSet rules;
    read_rules(own.find("rules"), own.full("rules"), recipe, &rules.rules, faults);
    own.finish();
    if (const auto known = judge::find_preset(preset.empty() ? "none" : preset); known)
      rules = judge::override_rules(judge::placed(**known, own.full("rules")), rules);
    for (judge::Bucket& bucket : judge::narrow(rules, language.when))
      set->buckets.push_back(std::move(bucket));
  }
  section.finish();
}

// An empty list or map changes nothing. Of the whole recipe that is what it says; in a domain it
// reads as if the common ones did not hold there.
void refuse_empty(Section& section, const YAML::Node& node, std::string_view key) {
  if (!node.IsDefined() || node.IsScalar() || node.size() > 0) return;
  section.fault(node,
                fmt::format("'{}' is empty and would change nothing, since the common {} hold "
                            "in every domain: leave it out, or start the domain without them "
                            "by 'preset: none'",
                            section.full(key), key));
}

void read_judge_spec(Section& section, const Recipe::Data& recipe, bool of_domain,
                     JudgeSpec* spec) {
  Faults& faults = section.faults();
  read_preset(section, &spec->preset);
  const YAML::Node rules = section.find("rules");
  if (of_domain && spec->preset.empty()) refuse_empty(section, rules, "rules");
  read_rules(rules, section.full("rules"), recipe, &spec->set.rules, faults);
  read_languages(section.find("languages"), section.full("languages"), recipe, &spec->set, faults);
  const YAML::Node buckets = section.find("buckets");
  if (!buckets.IsDefined()) return;
  if (!buckets.IsSequence()) {
    return section.fault(
        buckets, fmt::format("'{}' must be a list of {{when, rules}}", section.full("buckets")));
  }
  if (of_domain && spec->preset.empty()) refuse_empty(section, buckets, "buckets");
  for_each_item(buckets, [&](const YAML::Node& bucket, std::size_t place) {
    read_bucket(bucket, fmt::format("{}[{}]", section.full("buckets"), place), recipe, &spec->set,
                faults);
  });
}

}  // namespace

void read_judge(const YAML::Node& node, Recipe::Data& recipe, Faults& faults) {
  Section section(node, "judge", faults);
  read_judge_spec(section, recipe, false, &recipe.judge);
  if (const YAML::Node domains = section.find("domains"); domains.IsDefined()) {
    const std::vector<std::string> known = recipe.domains();
    const std::set<std::string> is_known(known.begin(), known.end());
    if (!domains.IsMap()) section.fault(domains, "'judge.domains' must be a map of domain names");
    for (const auto& entry : domains.IsMap() ? domains : YAML::Node(YAML::NodeType::Map)) {
      const std::string domain = entry.first.Scalar();
      if (!is_known.contains(domain)) {
        faults.add(line_of(entry.first),
                   fmt::format("'judge.domains': no source has the domain '{}'{}", domain,
                               suggestion(domain, known)));
      }
      Section domain_section(entry.second, fmt::format("judge.domains.{}", domain), faults);
      read_judge_spec(domain_section, recipe, true, &recipe.judge_domains[domain]);
      domain_section.finish();
    }
  }
  section.finish();
}

}  // namespace headrace::curate
