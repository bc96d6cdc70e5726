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

// The preset of that name. Errors: kUnsupported for a published rule set that this version does not
// have, invalid_argument with a suggestion for any other name.
Result<const Preset*> find_preset(std::string_view name);

// `over` replaces the rules of the same column in `base` (whole rules: min and max together),
// others are appended.
std::vector<Rule> override_rules(std::vector<Rule> base, const std::vector<Rule>& over);

// "code_points_below_min" or "digit_share_above_max": the stable names that books, folders and
// reports show.
std::string reason_below_min(std::string_view column);
std::string reason_above_max(std::string_view column);

// `rule` with its `auto` bounds as numbers: percentiles of `values`, the column's values in one
// domain (NaN = null, left out). Without a value there is no bound. Reorders `values`.
Rule resolve_percentiles(const Rule& rule, std::span<double> values);

// One verdict. A row is kept when `reasons` is 0; bit i is reason i of `Judge::reasons()`.
using ReasonSet = std::uint64_t;

// Compiled once, then pure: thread-safe.
class Judge {
 public:
  // `columns`: names in the order in which rows give their values. `domains[d]`: the rules of
  // domain d, bounds being numbers. Two rules of one domain on one column both hold. Errors, all in
  // one message: a column that does not exist (with a suggestion), min above max, a bound that is
  // NaN, more than 64 reasons; kInternal for an `auto` bound that was not resolved.
  static Result<Judge> make(const std::vector<std::string>& columns,
                            const std::vector<std::vector<Rule>>& domains);

  // All reasons that any domain can give, in the order of first appearance: domain by domain, rule
  // by rule, min before max. A row's first reason is its lowest bit.
  const std::vector<std::string>& reasons() const { return reasons_; }
  // Index in `columns` of the column that reason `r` looks at.
  std::size_t column_of(std::size_t r) const { return checks_[r].column; }

  // Judges rows [0, domain.size()). `values[c][row]`, NaN = null; a column that no reason looks at
  // may be empty. domain[row] < domains.size(). Writes verdicts[row].
  void judge(std::span<const std::span<const double>> values, std::span<const std::uint32_t> domain,
             std::span<ReasonSet> verdicts) const;

 private:
  struct Check {
    std::size_t column = 0;
    bool is_max = false;
    std::vector<double> limits;  // by domain; infinite where the domain has no such bound
  };
  std::vector<Check> checks_;  // by reason
  std::vector<std::string> reasons_;
};

// The p-th percentile (0 to 100, linear between ranks as numpy's default, to the bit) of the
// non-NaN values; nothing if there are none. Reorders `values`. Linear time.
std::optional<double> percentile(std::span<double> values, double p);

}  // namespace headrace::judge
