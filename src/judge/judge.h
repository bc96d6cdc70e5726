// SPDX-License-Identifier: Apache-2.0
// Columns → verdicts with named reasons. A rule is a bound on a column; null breaks no bound.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "headrace/result.h"

#include "base/registry.h"

namespace headrace::judge {

// Where a rule is written, for people: no part of what it does.
struct Origin {
  std::string place;   // "judge.rules", "judge.languages.zh.rules", "judge.buckets[0].rules" ...
  std::string preset;  // that gives it there; "" = the recipe itself
  std::size_t bucket = 0;  // of the preset, from 1; 0 = one of its plain rules
  int line = 0;            // of the recipe; 0 = nowhere
};

// Bounds on one column. Inclusive: a value equal to `min` or `max` is kept.
struct Rule {
  std::string column;
  std::optional<double> min;
  std::optional<double> max;
  // `auto: p5..p95`: bounds that the data gives (percentiles of the domain's own values); 0 to 100.
  std::optional<double> auto_min_percentile;
  std::optional<double> auto_max_percentile;
  // `null: drop`: a document that the measure does not apply to is dropped.
  bool drop_null = false;
  Origin origin;

  // Whether both do the same, wherever they are written.
  bool operator==(const Rule& other) const {
    const auto effect = [](const Rule& rule) {
      return std::tie(rule.column, rule.min, rule.max, rule.auto_min_percentile,
                      rule.auto_max_percentile, rule.drop_null);
    };
    return effect(*this) == effect(other);
  }
};

// Which rows a bucket takes, by one column. Inclusive; a null value meets no condition.
struct Condition {
  std::string column;
  std::optional<double> min;
  std::optional<double> max;

  bool operator==(const Condition&) const = default;
};

// Rules for the rows that meet all of `when`. Each replaces what holds elsewhere on its column; one
// without bounds lifts it.
struct Bucket {
  std::vector<Condition> when;
  std::vector<Rule> rules;

  bool operator==(const Bucket&) const = default;
};

// All rules of one domain. Of several buckets that a row falls into, the last decides, column by
// column. Two rules of one list on one column both hold.
struct RuleSet {
  std::vector<Rule> rules;
  std::vector<Bucket> buckets;

  bool empty() const { return rules.empty() && buckets.empty(); }
  bool operator==(const RuleSet&) const = default;
};

// What a preset is: rules and where they come from. One .cc each in presets/.
struct Preset {
  std::string name;     // "zh-web"
  std::string summary;  // one sentence, with its source
  std::string differs;  // what of the source is different here or missing; "" = nothing
  RuleSet set;
};

using Registry = headrace::Registry<Preset>;

void register_all(Registry& registry);
const Registry& registry();

// The preset of that name; invalid_argument with a suggestion for a name that no preset has.
Result<const Preset*> find_preset(std::string_view name);

// Columns that rules and conditions of a set name, each once.
std::vector<std::string> columns_of(const RuleSet& set);

// `over` decides where both speak of a column: a rule of `over` replaces the rules of `base` on the
// same column whole (min and max together), those in buckets as well. Its buckets come last.
RuleSet override_rules(RuleSet base, const RuleSet& over);

// The set of a preset as `place` of a recipe takes it: what it does stays, its origins are told.
RuleSet placed(const Preset& preset, const std::string& place);

// `set` for the rows that meet `when` only, as buckets: its rules, then its buckets.
std::vector<Bucket> narrow(const RuleSet& set, const std::vector<Condition>& when);

// The languages that rules can be given for, and how a text of each is told by measures of its
// script. No model is asked: "en" holds for any text in Latin letters, "zh" for any with Han.
struct Language {
  std::string name;
  std::vector<Condition> when;
};
const std::vector<Language>& languages();

// A column that stands behind all measures because it costs more: a model's. Groups of such columns
// come one after the other, and a row is judged by a group only if it broke no bound of a column
// before the group: others were never given a value, or have one that no longer counts.
struct LateColumn {
  std::string name;
  std::size_t group = 1;  // 1 or more, ascending
  // Reasons that are not named as those of a measure; "" = as those of a measure.
  std::string above_max;
  std::string null;

  bool operator==(const LateColumn&) const = default;
};

// What Judge::make refuses, all faults in one message.
Result<void> check_rules(const std::vector<std::string>& columns,
                         const std::vector<RuleSet>& domains);

// "code_points_below_min", "digit_share_above_max", "stop_word_share_null": the stable names that
// books, folders and reports show.
std::string reason_below_min(std::string_view column);
std::string reason_above_max(std::string_view column);
std::string reason_null(std::string_view column);

// `rule` with its `auto` bounds as numbers: percentiles of `values`, the column's values in one
// domain (NaN = null, left out). Without a value there is no bound. Reorders `values`.
Rule resolve_percentiles(const Rule& rule, std::span<double> values);

// The reasons of rows, as bits. A row is kept when it has none.
class Verdicts {
 public:
  Verdicts() = default;
  Verdicts(std::size_t rows, std::size_t reasons);

  std::size_t rows() const { return rows_; }
  bool kept(std::size_t row) const {
    std::uint64_t any = 0;
    for (std::size_t word = 0; word < words_; ++word) any |= bits_[word * rows_ + row];
    return any == 0;
  }
  bool has(std::size_t row, std::size_t reason) const {
    return (bits_[reason / 64 * rows_ + row] >> (reason % 64) & 1) != 0;
  }
  // Calls each(reason) for the row's reasons, in their order.
  template <class Each>
  void for_each(std::size_t row, Each each) const {
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t bits = bits_[word * rows_ + row]; bits != 0; bits &= bits - 1)
        each(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
    }
  }
  // The rows' bits of reasons [64 * word, 64 * word + 64).
  std::span<std::uint64_t> word(std::size_t word) {
    return std::span(bits_).subspan(word * rows_, rows_);
  }
  std::size_t words() const { return words_; }

 private:
  std::size_t rows_ = 0;
  std::size_t words_ = 0;
  std::vector<std::uint64_t> bits_;
};

// Compiled once, then pure: thread-safe.
class Judge {
 public:
  // `columns`: names in the order in which rows give their values, cheap measures before dear ones.
  // `domains[d]`: the rules of domain d, bounds being numbers. Errors, all in one message: a column
  // that does not exist (with a suggestion), min above max, a bound that is NaN, a bucket without a
  // condition; kInternal for an `auto` bound that was not resolved. `late` columns have the numbers
  // behind those of `columns`. A bucket must not let a late column decide about an earlier group.
  static Result<Judge> make(const std::vector<std::string>& columns,
                            const std::vector<RuleSet>& domains,
                            const std::vector<LateColumn>& late = {});

  // All reasons that any domain can give, in the order of `columns`, min before max before null. A
  // row's first reason, the one it is counted under, is so its cheapest.
  const std::vector<std::string>& reasons() const { return reasons_; }
  // Index in `columns` of the column that reason `r` looks at.
  std::size_t column_of(std::size_t r) const { return checks_[r].column; }
  // Group of that column; 0 for a measure.
  std::size_t group_of(std::size_t r) const { return checks_[r].group; }
  // Indexes of all columns that are looked at, ascending.
  std::vector<std::size_t> columns() const;

  // Judges rows [0, domain.size()). `values[c][row]`, NaN = null; a column that is not in columns()
  // may be empty. domain[row] < domains.size().
  Verdicts judge(std::span<const std::span<const double>> values,
                 std::span<const std::uint32_t> domain) const;

 private:
  enum class Kind : std::uint8_t { kMin, kMax, kNull };
  struct Override {
    std::size_t bucket = 0;
    double limit = 0;
  };
  struct Check {
    std::size_t column = 0;
    Kind kind = Kind::kMin;
    std::size_t group = 0;
    std::vector<double>
        limits;  // by domain; what nothing breaks where the domain has no such bound
    std::vector<Override> overrides;  // in the order of buckets
  };
  struct Term {
    std::size_t column = 0;
    double min = 0;
    double max = 0;
  };
  struct CompiledBucket {
    std::uint32_t domain = 0;
    std::vector<Term> when;
  };
  struct Block;

  void add_checks(const std::string& name, std::size_t column, const LateColumn* late,
                  const std::vector<RuleSet>& domains);
  void add_bucket(const Bucket& bucket, std::uint32_t domain,
                  const std::vector<std::string>& columns);
  void find_buckets(std::span<const std::span<const double>> values, Block& block) const;
  void judge_block(const Check& check, std::size_t reason, std::span<const double> column,
                   Block& block, std::uint64_t* bits) const;
  void judge_late(const Check& check, std::size_t reason, std::span<const double> column,
                  Block& block, Verdicts& verdicts) const;

  std::vector<Check> checks_;  // by reason
  std::vector<std::string> reasons_;
  std::vector<CompiledBucket> buckets_;  // by domain, in its order
};

// The p-th percentile (0 to 100, linear between ranks as numpy's default, to the bit) of the
// non-NaN values; nothing if there are none. Reorders `values`. Linear time.
std::optional<double> percentile(std::span<double> values, double p);

// Percentiles at several ascending `points`, each as percentile() gives it; empty if all values are
// NaN. Reorders `values`.
std::vector<double> percentiles(std::span<double> values, std::span<const double> points);

}  // namespace headrace::judge
