// SPDX-License-Identifier: Apache-2.0
#include "curate/judge_columns.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "base/error.h"
#include "curate/measure_columns.h"
#include "measure/measure.h"
#include "record/reasons.h"

namespace headrace::curate {
namespace {

std::string label_flag(const ScoreSpec& spec) { return spec.name + "_not_kept"; }

std::string null_reason(const ScoreSpec& spec) {
  return spec.name + (spec.kind == kLanguageKind ? "_undetermined" : "_invalid");
}

std::vector<judge::LateColumn> late_columns(const Recipe::Data& recipe) {
  std::vector<judge::LateColumn> columns;
  for (std::size_t i = 0; i < recipe.scores.size(); ++i) {
    const ScoreSpec& spec = recipe.scores[i];
    if (!spec.keep.empty())
      columns.push_back({label_flag(spec), i + 1, label_flag(spec), label_flag(spec)});
    columns.push_back({spec.name, i + 1, "", null_reason(spec)});
  }
  if (recipe.leak) columns.push_back({kLeakColumn, leak_group(recipe), kLeakReason, ""});
  return columns;
}

// Without what a judge of the groups below `groups` cannot know.
judge::RuleSet restricted(judge::RuleSet set, const Recipe::Data& recipe, std::size_t groups) {
  const auto too_late = [&](const auto& what) { return group_of(recipe, what.column) >= groups; };
  std::erase_if(set.rules, too_late);
  for (judge::Bucket& bucket : set.buckets) std::erase_if(bucket.rules, too_late);
  std::erase_if(set.buckets, [&](const judge::Bucket& bucket) {
    return bucket.rules.empty() || std::any_of(bucket.when.begin(), bucket.when.end(), too_late);
  });
  return set;
}

bool is_automatic(const judge::Rule& rule) {
  return rule.auto_min_percentile || rule.auto_max_percentile;
}

// Turns the percentiles of one group into numbers; those of the groups below it are numbers.
class GroupResolver {
 public:
  GroupResolver(const Context& context, std::size_t group, std::vector<judge::RuleSet>* rules,
                std::vector<std::string>* faults)
      : context_(context), group_(group), rules_(*rules), faults_(*faults) {}

  Result<void> run() {
    for (std::uint32_t domain = 0; domain < rules_.size(); ++domain) {
      HEADRACE_RETURN_IF_ERROR(resolve(domain, {}, &rules_[domain].rules));
      for (judge::Bucket& bucket : rules_[domain].buckets)
        HEADRACE_RETURN_IF_ERROR(resolve(domain, bucket.when, &bucket.rules));
    }
    return {};
  }

 private:
  Result<void> resolve(std::uint32_t domain, const std::vector<judge::Condition>& when,
                       std::vector<judge::Rule>* rules) {
    for (judge::Rule& rule : *rules) {
      if (!is_automatic(rule) || group_of(context_.recipe, rule.column) != group_) continue;
      HEADRACE_RETURN_IF_ERROR(find_who_comes_here());
      HEADRACE_ASSIGN_OR_RETURN(
          std::vector<double> values,
          domain_values(context_, domain, rule.column, when, before_ ? &*before_ : nullptr));
      const judge::Rule resolved = judge::resolve_percentiles(rule, values);
      check_resolved(domain, rule, resolved);
      rule = resolved;
    }
    return {};
  }

  // A percentile beyond the bound that is written beside it would drop every document.
  void check_resolved(std::uint32_t domain, const judge::Rule& written,
                      const judge::Rule& resolved) {
    if (!resolved.min || !resolved.max || *resolved.min <= *resolved.max) return;
    const auto name = [](const std::optional<double>& percentile) {
      return percentile ? fmt::format(" (p{} of its documents)", *percentile) : "";
    };
    faults_.push_back(fmt::format(
        "{}:{}: '{}' in the domain '{}': min {}{} is above max {}{}, so every document would be "
        "dropped: move the bound that is a number, or give both by 'auto'",
        context_.recipe.path, written.origin.line, written.column, context_.domains[domain],
        *resolved.min, name(written.auto_min_percentile), *resolved.max,
        name(written.auto_max_percentile)));
  }

  // Values of documents that never came to a score (they have one from an earlier recipe) do not
  // count.
  Result<void> find_who_comes_here() {
    if (group_ == 0 || before_) return {};
    std::vector<judge::RuleSet> rules;
    for (const judge::RuleSet& set : rules_)
      rules.push_back(restricted(set, context_.recipe, group_));
    HEADRACE_ASSIGN_OR_RETURN(before_, make_judge(context_.recipe, rules, group_));
    return {};
  }

  const Context& context_;
  const std::size_t group_;
  std::vector<judge::RuleSet>& rules_;
  std::vector<std::string>& faults_;
  std::optional<judge::Judge> before_;
};

}  // namespace

std::vector<std::string> judge_columns(const Recipe::Data& recipe) {
  std::vector<std::string> columns = measure::registry().names();
  for (const judge::LateColumn& column : late_columns(recipe)) columns.push_back(column.name);
  return columns;
}

bool is_label_flag(const ScoreSpec& spec, const std::string& column) {
  return !spec.keep.empty() && column == label_flag(spec);
}

std::size_t leak_group(const Recipe::Data& recipe) { return recipe.scores.size() + 1; }

std::size_t group_count(const Recipe::Data& recipe) {
  return leak_group(recipe) + (recipe.leak ? 1 : 0);
}

std::size_t group_of(const Recipe::Data& recipe, const std::string& column) {
  if (recipe.leak && column == kLeakColumn) return leak_group(recipe);
  const ScoreSpec* const spec = score_of(recipe, column);
  return spec == nullptr ? 0 : static_cast<std::size_t>(spec - recipe.scores.data()) + 1;
}

const ScoreSpec* score_of(const Recipe::Data& recipe, const std::string& column) {
  for (const ScoreSpec& spec : recipe.scores) {
    if (column == spec.name || is_label_flag(spec, column)) return &spec;
  }
  return nullptr;
}

bool drops_null(const Recipe::Data& recipe, const std::string& column) {
  const ScoreSpec* const spec = score_of(recipe, column);
  return spec != nullptr && column == spec->name && spec->drop_null;
}

std::vector<judge::Rule> late_rules(const Recipe::Data& recipe) {
  std::vector<judge::Rule> rules;
  for (const ScoreSpec& spec : recipe.scores) {
    const judge::Origin origin{.place = "score." + spec.name, .line = spec.line};
    if (!spec.keep.empty())
      rules.push_back({.column = label_flag(spec), .max = 0, .origin = origin});
    if (spec.min || spec.max || spec.drop_null) {
      rules.push_back({.column = spec.name,
                       .min = spec.min,
                       .max = spec.max,
                       .drop_null = spec.drop_null,
                       .origin = origin});
    }
  }
  if (recipe.leak && recipe.leak->verdict == LeakVerdict::kDrop) {
    rules.push_back(
        {.column = kLeakColumn, .max = 0, .origin = {.place = "leak", .line = recipe.leak->line}});
  }
  return rules;
}

std::vector<std::string> reasons_of(const ScoreSpec& spec) {
  return {label_flag(spec), judge::reason_below_min(spec.name), judge::reason_above_max(spec.name),
          null_reason(spec)};
}

std::string max_reason(const Recipe::Data& recipe, const std::string& column) {
  if (recipe.leak && column == kLeakColumn) return kLeakReason;
  const ScoreSpec* const spec = score_of(recipe, column);
  return spec != nullptr && is_label_flag(*spec, column) ? column : judge::reason_above_max(column);
}

std::string null_reason(const Recipe::Data& recipe, const std::string& column) {
  const ScoreSpec* const spec = score_of(recipe, column);
  return spec == nullptr ? judge::reason_null(column) : null_reason(*spec);
}

std::string column_behind(const Recipe::Data& recipe, const std::string& reason) {
  for (const std::string& measure : measure::registry().names()) {
    if (reason == judge::reason_below_min(measure) || reason == judge::reason_above_max(measure) ||
        reason == judge::reason_null(measure)) {
      return measure;
    }
  }
  if (recipe.leak && reason == kLeakReason) return kLeakColumn;
  for (const ScoreSpec& spec : recipe.scores) {
    if (is_label_flag(spec, reason)) return reason;
    const std::vector<std::string> reasons = reasons_of(spec);
    if (std::find(reasons.begin(), reasons.end(), reason) != reasons.end()) return spec.name;
  }
  return "";
}

Result<judge::Judge> make_judge(const Recipe::Data& recipe,
                                const std::vector<judge::RuleSet>& rules, std::size_t groups) {
  std::vector<judge::LateColumn> late = late_columns(recipe);
  std::erase_if(late, [&](const judge::LateColumn& column) { return column.group >= groups; });
  return judge::Judge::make(measure::registry().names(), rules, late);
}

Result<std::vector<judge::RuleSet>> resolve_rules(const Context& context, std::size_t groups) {
  std::vector<judge::RuleSet> rules;
  for (const std::string& domain : context.domains)
    rules.push_back(restricted(context.recipe.rules_of(domain), context.recipe, groups));
  const std::size_t last = std::min(groups, group_count(context.recipe));
  std::vector<std::string> faults;
  for (std::size_t group = 0; group < last; ++group)
    HEADRACE_RETURN_IF_ERROR(GroupResolver(context, group, &rules, &faults).run());
  if (!faults.empty()) return invalid_argument("{}", fmt::join(faults, "\n"));
  return rules;
}

}  // namespace headrace::curate
