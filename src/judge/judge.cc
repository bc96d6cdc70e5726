// SPDX-License-Identifier: Apache-2.0
// Columns → verdicts: rule after rule over blocks of rows.
//
// Moving a threshold must not cost a look at the text, so this is a scan of doubles, and what
// matters is memory bandwidth. A block's verdicts stay in the first-level cache while one column
// after the other streams past them. Reason r compares one column with one limit per domain; rows
// of one part nearly always share a domain, and then the limit is a constant and the loop
// vectorises. A comparison with NaN is false, so null breaks no bound; a domain without the bound
// has an infinite limit, which nothing breaks.
//
// Cost: 8 bytes read per row and reason.
#include "judge/judge.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/ranges.h>

#include "base/error.h"
#include "base/suggest.h"

namespace headrace::judge {
namespace {

constexpr std::size_t kBlockRows = 1024;
constexpr std::size_t kMaxReasons = 64;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

constexpr const char* kLaterPresets[] = {
    "gopher", "c4", "fineweb", "fineweb2-zh", "roots-zh", "data-juicer-zh", "dolma", "code"};

template <class Breaks>
void mark(std::span<const double> values, ReasonSet* verdicts, std::size_t reason, Breaks breaks) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    verdicts[i] |= static_cast<ReasonSet>(breaks(values[i], i)) << reason;
  }
}

// What is wrong with one rule, beside its column.
std::string fault_of(const Rule& rule) {
  if ((rule.min && std::isnan(*rule.min)) || (rule.max && std::isnan(*rule.max))) {
    return fmt::format("the rule on '{}' has a bound that is not a number", rule.column);
  }
  if (rule.min && rule.max && *rule.min > *rule.max) {
    return fmt::format("the rule on '{}' has min {} above max {}: it would drop everything",
                       rule.column, *rule.min, *rule.max);
  }
  return "";
}

// All faults of all rules, each once: domains share rules.
std::vector<std::string> faults_of(const std::vector<std::string>& columns,
                                   const std::vector<std::vector<Rule>>& domains) {
  std::vector<std::string> faults;
  const auto add = [&](std::string fault) {
    if (std::find(faults.begin(), faults.end(), fault) == faults.end()) {
      faults.push_back(std::move(fault));
    }
  };
  for (const auto& rules : domains) {
    for (const Rule& rule : rules) {
      if (std::find(columns.begin(), columns.end(), rule.column) == columns.end()) {
        add(fmt::format("a rule names the column '{}', which does not exist{}", rule.column,
                        suggestion(rule.column, columns)));
      }
      if (std::string fault = fault_of(rule); !fault.empty()) add(std::move(fault));
    }
  }
  return faults;
}

}  // namespace

const Preset* Registry::find(std::string_view name) const {
  for (const Preset& preset : presets_) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

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
  std::vector<std::string> names;
  for (const Preset& preset : registry().presets()) names.push_back(preset.name);
  if (std::find(std::begin(kLaterPresets), std::end(kLaterPresets), name) !=
      std::end(kLaterPresets)) {
    return unsupported(
        "preset '{}' is not in this version; its thresholds can be written as rules; known: {}",
        name, fmt::join(names, ", "));
  }
  return invalid_argument("unknown preset '{}'{}", name, suggestion(name, names));
}

std::vector<Rule> override_rules(std::vector<Rule> base, const std::vector<Rule>& over) {
  std::vector<Rule> rules;
  std::vector<bool> placed(over.size(), false);
  for (Rule& rule : base) {
    bool replaced = false;
    for (std::size_t i = 0; i < over.size(); ++i) {
      if (over[i].column != rule.column) continue;
      replaced = true;
      if (!placed[i]) rules.push_back(over[i]);
      placed[i] = true;
    }
    if (!replaced) rules.push_back(std::move(rule));
  }
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (!placed[i]) rules.push_back(over[i]);
  }
  return rules;
}

std::string reason_below_min(std::string_view column) { return std::string(column) + "_below_min"; }
std::string reason_above_max(std::string_view column) { return std::string(column) + "_above_max"; }

Result<Judge> Judge::make(const std::vector<std::string>& columns,
                          const std::vector<std::vector<Rule>>& domains) {
  if (const auto faults = faults_of(columns, domains); !faults.empty()) {
    return invalid_argument("{}", fmt::join(faults, "; "));
  }
  Judge judge;
  for (std::size_t domain = 0; domain < domains.size(); ++domain) {
    for (const Rule& rule : domains[domain]) {
      if (rule.auto_min_percentile || rule.auto_max_percentile) {
        return internal_error("the percentiles of the rule on '{}' were not resolved", rule.column);
      }
      const auto column = static_cast<std::size_t>(
          std::find(columns.begin(), columns.end(), rule.column) - columns.begin());
      for (const bool is_max : {false, true}) {
        const std::optional<double>& bound = is_max ? rule.max : rule.min;
        if (!bound.has_value()) continue;
        auto check = std::find_if(
            judge.checks_.begin(), judge.checks_.end(),
            [&](const Check& known) { return known.column == column && known.is_max == is_max; });
        if (check == judge.checks_.end()) {
          const double unbounded = is_max ? kInfinity : -kInfinity;
          judge.checks_.push_back({column, is_max, std::vector(domains.size(), unbounded)});
          judge.reasons_.push_back(is_max ? reason_above_max(rule.column)
                                          : reason_below_min(rule.column));
          check = std::prev(judge.checks_.end());
        }
        double& limit = check->limits[domain];
        limit = is_max ? std::min(limit, *bound) : std::max(limit, *bound);
      }
    }
  }
  if (judge.reasons_.size() > kMaxReasons) {
    return invalid_argument("the rules of all domains have {} bounds on different columns; {} fit",
                            judge.reasons_.size(), kMaxReasons);
  }
  return judge;
}

void Judge::judge(std::span<const std::span<const double>> values,
                  std::span<const std::uint32_t> domain, std::span<ReasonSet> verdicts) const {
  for (std::size_t begin = 0; begin < domain.size(); begin += kBlockRows) {
    const std::size_t n = std::min(kBlockRows, domain.size() - begin);
    const auto domains = domain.subspan(begin, n);
    ReasonSet* const out = verdicts.data() + begin;
    std::fill_n(out, n, 0);
    const bool one_domain = std::all_of(domains.begin(), domains.end(),
                                        [&](std::uint32_t d) { return d == domains[0]; });
    for (std::size_t reason = 0; reason < checks_.size(); ++reason) {
      const Check& check = checks_[reason];
      const auto column = values[check.column].subspan(begin, n);
      const double limit = check.limits[domains[0]];
      const double* const limits = check.limits.data();
      if (one_domain && check.is_max) {
        mark(column, out, reason, [=](double v, std::size_t) { return v > limit; });
      } else if (one_domain) {
        mark(column, out, reason, [=](double v, std::size_t) { return v < limit; });
      } else if (check.is_max) {
        mark(column, out, reason, [=](double v, std::size_t i) { return v > limits[domains[i]]; });
      } else {
        mark(column, out, reason, [=](double v, std::size_t i) { return v < limits[domains[i]]; });
      }
    }
  }
}

}  // namespace headrace::judge
