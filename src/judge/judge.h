// SPDX-License-Identifier: Apache-2.0
// Columns → verdicts with named reasons. A rule is a bound on a column; null never breaks a bound.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace::judge {

// Bounds on one column. Inclusive: a value equal to `min` or `max` is kept.
struct Rule {
  std::string column;
  std::optional<double> min;
  std::optional<double> max;
  // `auto: p5..p95`: bounds that the data gives (percentiles of the domain's own values); 0 to 100.
  std::optional<double> auto_min_percentile;
  std::optional<double> auto_max_percentile;

  bool operator==(const Rule&) const = default;
};

// What a preset is: rules and where they come from. One .cc each in presets/.
struct Preset {
  std::string name;     // "zh-web"
  std::string summary;  // one sentence, with its source
  std::vector<Rule> rules;
};

class Registry {
 public:
  void add(Preset preset) { presets_.push_back(std::move(preset)); }
  const std::vector<Preset>& presets() const { return presets_; }
  const Preset* find(std::string_view name) const;  // "none" is a preset without rules

 private:
  std::vector<Preset> presets_;
};

void register_all(Registry& registry);
const Registry& registry();

// `over` replaces the rules of the same column in `base` (whole rules: min and max together),
// others are appended.
std::vector<Rule> override_rules(std::vector<Rule> base, const std::vector<Rule>& over);

// "code_points_below_min" or "digit_share_above_max": the stable names that books, folders and
// reports show.
std::string reason_below_min(std::string_view column);
std::string reason_above_max(std::string_view column);

// The rules of every domain, compiled against the columns that exist.
struct DomainRules {
  std::vector<Rule> rules;  // bounds are numbers here: percentiles already resolved
};

// One verdict. A row is kept when `reasons` is 0; bit i is reason i of `Judge::reasons()`.
using ReasonSet = std::uint64_t;

// Compiled once, then pure: thread-safe.
class Judge {
 public:
  // `columns`: names in the order in which rows give their values. `domains[d]`: the rules of
  // domain d. Errors: a column that does not exist (with a suggestion), min above max, more than 64
  // reasons.
  static Result<Judge> make(const std::vector<std::string>& columns,
                            const std::vector<std::vector<Rule>>& domains);

  // All reasons that any domain can give, in rule order: a row's first reason is its lowest bit.
  const std::vector<std::string>& reasons() const { return reasons_; }
  // Index in `columns` of the column that reason `r` looks at.
  std::size_t column_of(std::size_t r) const { return reason_columns_[r]; }

  // Judges rows [0, domain.size()). `values[c][row]`, NaN = null. Writes verdicts[row].
  void judge(std::span<const std::span<const double>> values, std::span<const std::uint32_t> domain,
             std::span<ReasonSet> verdicts) const;

 private:
  struct Bound {
    std::size_t column;
    double limit;
    bool is_max;
    std::size_t reason;
  };
  std::vector<std::string> reasons_;
  std::vector<std::size_t> reason_columns_;
  std::vector<std::vector<Bound>> bounds_;  // by domain
};

// The p-th percentile (0 to 100, linear between ranks as numpy's default) of the non-NaN values;
// nothing if there are none. Reorders `values`.
std::optional<double> percentile(std::span<double> values, double p);

}  // namespace headrace::judge
