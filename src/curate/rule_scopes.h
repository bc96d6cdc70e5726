// SPDX-License-Identifier: Apache-2.0
// Which rule judges a row: that of its domain, of a language, or of a bucket. What the report, the
// audit and explain say of bounds.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "judge/judge.h"

namespace headrace::curate {

// The rules on one column that judge some rows of a domain together.
struct RuleScope {
  std::vector<judge::Condition> when;  // empty: every row that no later scope takes
  std::optional<double> min;           // the tightest of several rules
  std::optional<double> max;
  bool drop_null = false;
  judge::Origin origin;
};

// Of the scopes that take a row the last judges it. The first takes every row, and has no bound
// where the domain has no rule of its own: `base_place` is where one would be written.
std::vector<RuleScope> scopes_of(const judge::RuleSet& set, const std::string& column,
                                 const std::string& base_place);

// What would judge the rows of `scope` if the recipe had another rule at its place: a rule of the
// recipe replaces those of a preset there, in its buckets as well. Keeps the bounds that stand.
RuleScope written_scope(const std::vector<RuleScope>& scopes, const RuleScope& scope);

// "language zh, code_points ≤ 500"; "" for no conditions.
std::string describe(const std::vector<judge::Condition>& when);

// Values of a column of the rows at hand, NaN = null. They outlive what asks for them.
using ColumnOf = std::function<Result<std::span<const double>>(const std::string& column)>;

// The scope of each row. Looks at the columns of conditions.
class RowScopes {
 public:
  // `by_domain` outlives it.
  static Result<RowScopes> load(const std::vector<std::vector<RuleScope>>& by_domain,
                                const ColumnOf& column);
  // Index in by_domain[domain].
  std::size_t index_of(std::uint32_t domain, std::size_t row) const;
  const RuleScope& of(std::uint32_t domain, std::size_t row) const {
    return (*by_domain_)[domain][index_of(domain, row)];
  }

 private:
  struct Term {
    std::span<const double> values;
    double min = 0;
    double max = 0;
  };
  const std::vector<std::vector<RuleScope>>* by_domain_ = nullptr;
  std::vector<std::vector<std::vector<Term>>> terms_;  // by domain and scope
};

}  // namespace headrace::curate
