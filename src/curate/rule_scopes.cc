// SPDX-License-Identifier: Apache-2.0
#include "curate/rule_scopes.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace headrace::curate {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Nothing when no rule of the list is on the column.
std::optional<RuleScope> scope_of(const std::vector<judge::Rule>& rules,
                                  const std::string& column) {
  std::optional<RuleScope> scope;
  for (const judge::Rule& rule : rules) {
    if (rule.column != column) continue;
    if (!scope) scope = RuleScope{.origin = rule.origin};
    if (rule.min) scope->min = std::max(*rule.min, scope->min.value_or(*rule.min));
    if (rule.max) scope->max = std::min(*rule.max, scope->max.value_or(*rule.max));
    scope->drop_null = scope->drop_null || rule.drop_null;
  }
  return scope;
}

std::string describe(const judge::Condition& condition) {
  std::string text = condition.column;
  if (condition.min && condition.max)
    return fmt::format("{} ≤ {} ≤ {}", *condition.min, text, *condition.max);
  if (condition.min) text += fmt::format(" ≥ {}", *condition.min);
  if (condition.max) text += fmt::format(" ≤ {}", *condition.max);
  return text;
}

}  // namespace

std::vector<RuleScope> scopes_of(const judge::RuleSet& set, const std::string& column,
                                 const std::string& base_place) {
  std::vector<RuleScope> scopes;
  scopes.push_back(
      scope_of(set.rules, column).value_or(RuleScope{.origin = {.place = base_place}}));
  for (const judge::Bucket& bucket : set.buckets) {
    std::optional<RuleScope> scope = scope_of(bucket.rules, column);
    if (!scope) continue;
    scope->when = bucket.when;
    scopes.push_back(*std::move(scope));
  }
  return scopes;
}

RuleScope written_scope(const std::vector<RuleScope>& scopes, const RuleScope& scope) {
  for (const RuleScope& one : scopes) {
    if (one.origin.place == scope.origin.place && one.origin.bucket == 0) return one;
  }
  return {.origin = {.place = scope.origin.place}};
}

std::string describe(const std::vector<judge::Condition>& when) {
  std::vector<std::string> words;
  std::size_t told = 0;
  for (const judge::Language& language : judge::languages()) {
    if (when.size() < language.when.size() ||
        !std::equal(language.when.begin(), language.when.end(), when.begin()))
      continue;
    words.push_back("language " + language.name);
    told = language.when.size();
    break;
  }
  for (; told < when.size(); ++told) words.push_back(describe(when[told]));
  return fmt::format("{}", fmt::join(words, ", "));
}

Result<RowScopes> RowScopes::load(const std::vector<std::vector<RuleScope>>& by_domain,
                                  const ColumnOf& column) {
  RowScopes made;
  made.by_domain_ = &by_domain;
  for (const std::vector<RuleScope>& scopes : by_domain) {
    std::vector<std::vector<Term>>& all = made.terms_.emplace_back();
    for (const RuleScope& scope : scopes) {
      std::vector<Term>& terms = all.emplace_back();
      for (const judge::Condition& condition : scope.when) {
        HEADRACE_ASSIGN_OR_RETURN(const std::span<const double> values, column(condition.column));
        terms.push_back(
            {values, condition.min.value_or(-kInfinity), condition.max.value_or(kInfinity)});
      }
    }
  }
  return made;
}

std::size_t RowScopes::index_of(std::uint32_t domain, std::size_t row) const {
  const std::vector<std::vector<Term>>& scopes = terms_[domain];
  for (std::size_t scope = scopes.size(); scope-- > 1;) {
    const bool takes =
        std::all_of(scopes[scope].begin(), scopes[scope].end(), [row](const Term& term) {
          const double value = term.values[row];  // NaN meets nothing
          return value >= term.min && value <= term.max;
        });
    if (takes) return scope;
  }
  return 0;
}

}  // namespace headrace::curate
