// SPDX-License-Identifier: Apache-2.0
// Rules as data: presets by name, one set over another, what is wrong with a set.
#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "base/error.h"
#include "base/suggest.h"
#include "judge/judge.h"

namespace headrace::judge {
namespace {

// Collects faults, each once: domains share rules.
class FaultList {
 public:
  void add(std::string fault) {
    if (std::find(faults_.begin(), faults_.end(), fault) == faults_.end())
      faults_.push_back(std::move(fault));
  }
  const std::vector<std::string>& all() const { return faults_; }

 private:
  std::vector<std::string> faults_;
};

// `what`: "rule" or "condition".
template <class Bounds>
void check_bounds(const Bounds& bounds, std::string_view what,
                  const std::vector<std::string>& columns, FaultList* faults) {
  if (std::find(columns.begin(), columns.end(), bounds.column) == columns.end()) {
    faults->add(fmt::format("a {} names the column '{}', which does not exist{}", what,
                            bounds.column, suggestion(bounds.column, columns)));
  }
  if ((bounds.min && std::isnan(*bounds.min)) || (bounds.max && std::isnan(*bounds.max))) {
    faults->add(
        fmt::format("the {} on '{}' has a bound that is not a number", what, bounds.column));
  }
  if (bounds.min && bounds.max && *bounds.min > *bounds.max) {
    faults->add(fmt::format("the {} on '{}' has min {} above max {}: no value lies between", what,
                            bounds.column, *bounds.min, *bounds.max));
  }
}

const Rule* unresolved(const std::vector<Rule>& rules) {
  const auto found = std::find_if(rules.begin(), rules.end(), [](const Rule& rule) {
    return rule.auto_min_percentile || rule.auto_max_percentile;
  });
  return found == rules.end() ? nullptr : &*found;
}

bool names(const std::vector<Rule>& rules, const std::string& column) {
  return std::any_of(rules.begin(), rules.end(),
                     [&](const Rule& rule) { return rule.column == column; });
}

}  // namespace

const Registry& registry() {
  static const Registry all = [] {
    Registry made;
    register_all(made);
    return made;
  }();
  return all;
}

Result<const Preset*> find_preset(std::string_view name) {
  if (const Preset* preset = registry().find(name)) return preset;
  return invalid_argument("unknown preset '{}'{}", name, suggestion(name, registry().names()));
}

std::vector<std::string> columns_of(const RuleSet& set) {
  std::vector<std::string> columns;
  const auto add = [&](const std::string& column) {
    if (std::find(columns.begin(), columns.end(), column) == columns.end())
      columns.push_back(column);
  };
  for (const Rule& rule : set.rules) add(rule.column);
  for (const Bucket& bucket : set.buckets) {
    for (const Condition& condition : bucket.when) add(condition.column);
    for (const Rule& rule : bucket.rules) add(rule.column);
  }
  return columns;
}

RuleSet override_rules(RuleSet base, const RuleSet& over) {
  RuleSet set;
  std::vector<bool> placed(over.rules.size(), false);
  for (Rule& rule : base.rules) {
    if (!names(over.rules, rule.column)) {
      set.rules.push_back(std::move(rule));
      continue;
    }
    for (std::size_t i = 0; i < over.rules.size(); ++i) {
      if (over.rules[i].column == rule.column && !placed[i]) {
        set.rules.push_back(over.rules[i]);
        placed[i] = true;
      }
    }
  }
  for (std::size_t i = 0; i < over.rules.size(); ++i) {
    if (!placed[i]) set.rules.push_back(over.rules[i]);
  }
  for (Bucket& bucket : base.buckets) {
    std::erase_if(bucket.rules, [&](const Rule& rule) { return names(over.rules, rule.column); });
    if (!bucket.rules.empty()) set.buckets.push_back(std::move(bucket));
  }
  set.buckets.insert(set.buckets.end(), over.buckets.begin(), over.buckets.end());
  return set;
}

RuleSet placed(const Preset& preset, const std::string& place) {
  RuleSet set = preset.set;
  for (Rule& rule : set.rules) rule.origin = {place, preset.name, 0};
  for (std::size_t i = 0; i < set.buckets.size(); ++i) {
    for (Rule& rule : set.buckets[i].rules) rule.origin = {place, preset.name, i + 1};
  }
  return set;
}

std::vector<Bucket> narrow(const RuleSet& set, const std::vector<Condition>& when) {
  std::vector<Bucket> buckets;
  if (!set.rules.empty()) buckets.push_back({when, set.rules});
  for (const Bucket& bucket : set.buckets) {
    buckets.push_back({when, bucket.rules});
    buckets.back().when.insert(buckets.back().when.end(), bucket.when.begin(), bucket.when.end());
  }
  return buckets;
}

// A fifth of Han makes a text Chinese for rules: prose has 0.85, a page of names and numbers 0.3,
// English that quotes Chinese under 0.1. Nine tenths of ASCII leave room for typographic quotes and
// for the accents of French; what lies between the two is neither.
const std::vector<Language>& languages() {
  static const std::vector<Language> all = {
      {"zh", {{.column = "han_share", .min = 0.2}}},
      {"en", {{.column = "ascii_share", .min = 0.9}, {.column = "letter_share", .min = 0.5}}}};
  return all;
}

std::string reason_below_min(std::string_view column) { return std::string(column) + "_below_min"; }
std::string reason_above_max(std::string_view column) { return std::string(column) + "_above_max"; }
std::string reason_null(std::string_view column) { return std::string(column) + "_null"; }

Result<void> check_rules(const std::vector<std::string>& columns,
                         const std::vector<RuleSet>& domains) {
  FaultList faults;
  for (const RuleSet& set : domains) {
    for (const Rule& rule : set.rules) check_bounds(rule, "rule", columns, &faults);
    for (const Bucket& bucket : set.buckets) {
      if (bucket.when.empty()) faults.add("a bucket has no condition: it would hold for every row");
      for (const Condition& condition : bucket.when)
        check_bounds(condition, "condition", columns, &faults);
      for (const Rule& rule : bucket.rules) check_bounds(rule, "rule", columns, &faults);
    }
  }
  if (!faults.all().empty()) return invalid_argument("{}", fmt::join(faults.all(), "; "));
  for (const RuleSet& set : domains) {
    const Rule* open = unresolved(set.rules);
    for (const Bucket& bucket : set.buckets) open = open ? open : unresolved(bucket.rules);
    if (open != nullptr)
      return internal_error("the percentiles of the rule on '{}' were not resolved", open->column);
  }
  return {};
}

}  // namespace headrace::judge
