// SPDX-License-Identifier: Apache-2.0
#include "curate/broken_rules.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "curate/judge_columns.h"
#include "curate/measure_columns.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/rule_scopes.h"
#include "measure/facts/flagged_finder.h"
#include "record/text_view.h"

namespace headrace::curate {
namespace {

using BrokenRule = Explanation::BrokenRule;

// Each once, as it stands in the text. None where the lists are no longer those of the run.
std::vector<std::string> flagged_words(const Context& context, const std::string& text) {
  const auto lists = read_word_lists(context.recipe.word_lists);
  if (!lists || hash_of(*lists) != context.recipe.words.hash) return {};
  TextViewBuilder builder;
  const TextView& view = builder.build(text);
  std::vector<std::string> words;
  for (const TextRange range : measure::FlaggedFinder(*lists).find(view)) {
    std::string word(view.bytes(range));
    if (std::find(words.begin(), words.end(), word) == words.end())
      words.push_back(std::move(word));
  }
  return words;
}

std::string preset_name(const judge::Origin& origin) {
  if (origin.bucket == 0) return origin.preset;
  return fmt::format("{}, bucket {}", origin.preset, origin.bucket);
}

BrokenRule told(const std::string& reason, const std::string& measure, double value,
                const RuleScope& scope) {
  BrokenRule rule{.reason = reason, .measure = measure};
  if (!std::isnan(value)) rule.value = value;
  if (reason == judge::reason_below_min(measure) && scope.min)
    rule.bound = "min " + format_value(*scope.min);
  if (reason == judge::reason_above_max(measure) && scope.max)
    rule.bound = "max " + format_value(*scope.max);
  rule.scope = describe(scope.when);
  rule.place = scope.origin.place;
  rule.preset = preset_name(scope.origin);
  return rule;
}

}  // namespace

Result<std::vector<BrokenRule>> broken_rules(const Context& context, std::size_t part,
                                             std::size_t row, DocumentId id,
                                             const std::vector<std::string>& reasons,
                                             const std::string& text) {
  std::vector<BrokenRule> broken;
  if (reasons.empty()) return broken;
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<judge::RuleSet> rules, resolve_rules(context));
  PartColumns columns(context, part);
  const std::uint32_t domain = context.domain_of(id.value);
  const std::string base_place = context.recipe.base_place(context.domains[domain]);
  const auto column = [&](const std::string& name) { return columns.of(name); };
  for (const std::string& reason : reasons) {
    const std::string name = column_behind(context.recipe, reason);
    if (name.empty() || name == kLeakColumn) continue;  // leaks have evidence of their own
    const std::vector<std::vector<RuleScope>> scopes = {scopes_of(rules[domain], name, base_place)};
    HEADRACE_ASSIGN_OR_RETURN(const RowScopes rows, RowScopes::load(scopes, column));
    HEADRACE_ASSIGN_OR_RETURN(const std::span<const double> values, columns.of(name));
    broken.push_back(told(reason, name, values[row], rows.of(0, row)));
    if (name.starts_with("flagged_word")) broken.back().words = flagged_words(context, text);
  }
  return broken;
}

}  // namespace headrace::curate
