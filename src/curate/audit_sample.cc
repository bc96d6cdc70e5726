// SPDX-License-Identifier: Apache-2.0
// Samples for the audit, in three passes: verdicts (what each rule drops), the columns of the rules
// (what they saw, and which kept documents lie closest to a bound), texts of what was chosen.
//
// A rule's sample is drawn from all documents that break it, not only from those it is counted for:
// its precision must not depend on the order of rules. The draw takes the smallest keyed numbers;
// all rules share one key, so a document that breaks several is likely in the sample of each and
// is judged once. Each sample by itself stays uniform.
// "Closest" is relative to the bound, |value - bound| / |bound|, so that domains with bounds of
// their own compare; among equals (a thousand documents of exactly the smallest length) the keyed
// number decides.
#include "curate/audit_sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/counter_rng.h"
#include "base/error.h"
#include "base/options.h"
#include "curate/judge_columns.h"
#include "curate/measure_columns.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/rule_scopes.h"
#include "measure/measure.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kFrontBytes = 32 << 10;

using RulesByDomain = std::vector<judge::RuleSet>;

// A document in a sample; the smallest keys stay.
struct Chosen {
  std::pair<double, std::uint64_t> key;
  std::uint64_t id = 0;
  RowPlace place;
  double value = std::numeric_limits<double>::quiet_NaN();
  std::optional<double> bound;
  std::string reasons;
};

bool comes_first(const Chosen& a, const Chosen& b) {
  return std::pair(a.key, a.id) < std::pair(b.key, b.id);
}

// The `size` that come first, as a heap with the last one on top.
class Smallest {
 public:
  explicit Smallest(std::size_t size) : size_(size) {}
  bool wants(std::pair<double, std::uint64_t> key) const {
    return heap_.size() < size_ || key <= heap_.front().key;
  }
  void offer(Chosen chosen) {
    heap_.push_back(std::move(chosen));
    std::push_heap(heap_.begin(), heap_.end(), comes_first);
    if (heap_.size() <= size_) return;
    std::pop_heap(heap_.begin(), heap_.end(), comes_first);
    heap_.pop_back();
  }
  std::vector<Chosen> sorted() const {
    std::vector<Chosen> all = heap_;
    std::sort(all.begin(), all.end(), comes_first);
    return all;
  }
  std::vector<Chosen>& items() { return heap_; }

 private:
  std::size_t size_;
  std::vector<Chosen> heap_;
};

struct RuleSample {
  explicit RuleSample(std::size_t size) : dropped(size), passed(size) {}
  std::string column;  // behind the rule; "" where it is not one column
  bool is_max = false;
  bool is_bound = true;  // else `null: drop`, which nothing just passes
  std::uint64_t documents = 0;
  Smallest dropped;
  Smallest passed;
};

using RuleSamples = std::map<std::string, RuleSample>;

void name_column(const Recipe::Data& recipe, const std::string& reason, RuleSample* sample) {
  sample->column = column_behind(recipe, reason);
  sample->is_max = reason == judge::reason_above_max(sample->column);
  sample->is_bound = sample->is_max || reason == judge::reason_below_min(sample->column);
}

std::string summary_of(const std::string& column) {
  const measure::Measure* const measure = measure::registry().find(column);
  return measure == nullptr ? "what a model says" : measure->summary;
}

// Reasons that say nothing about quality; leaks have a page of their own.
bool is_rule(const std::string& reason) {
  constexpr std::string_view kOthers[] = {kQuotaReason, kNotSampledReason, kLittleLeftReason,
                                          kLeakReason, kValidationLeakReason};
  return !is_duplicate(reason) &&
         std::find(std::begin(kOthers), std::end(kOthers), reason) == std::end(kOthers);
}

bool is_kept(const std::string& reason) { return reason.empty() || reason == kQuotaReason; }

std::vector<std::vector<RuleScope>> scopes_by_domain(const Context& context,
                                                     const RulesByDomain& rules,
                                                     const std::string& column) {
  std::vector<std::vector<RuleScope>> scopes;
  for (std::size_t domain = 0; domain < rules.size(); ++domain) {
    scopes.push_back(
        scopes_of(rules[domain], column, context.recipe.base_place(context.domains[domain])));
  }
  return scopes;
}

class Sampler {
 public:
  Sampler(const Context& context, const RulesByDomain& rules, std::uint64_t seed,
          std::size_t per_rule)
      : context_(context), rules_(rules), per_rule_(per_rule), rng_(seed, purpose("audit")) {
    add_rules_in_force();
  }

  Result<AuditSample> run() {
    for (std::size_t part = 0; part < part_count(context_); ++part) {
      HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(context_, part));
      offer_dropped(verdicts, part);
    }
    for (std::size_t part = 0; part < part_count(context_); ++part) {
      HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(context_, part));
      HEADRACE_RETURN_IF_ERROR(look_at_columns(verdicts, part));
    }
    AuditSample sample = make_items();
    HEADRACE_RETURN_IF_ERROR(read_fronts(&sample));
    return sample;
  }

 private:
  RuleSample& of(const std::string& reason) {
    const auto [entry, is_new] = samples_.try_emplace(reason, per_rule_);
    if (is_new) name_column(context_.recipe, reason, &entry->second);
    return entry->second;
  }

  // A rule that dropped nothing still has documents that only just passed.
  void add_rules_in_force() {
    const auto add = [this](const std::vector<judge::Rule>& rules) {
      for (const judge::Rule& rule : rules) {
        if (rule.min) of(judge::reason_below_min(rule.column));
        if (rule.max && rule.column != kLeakColumn) of(max_reason(context_.recipe, rule.column));
        if (rule.drop_null) of(null_reason(context_.recipe, rule.column));
      }
    };
    for (const judge::RuleSet& domain : rules_) {
      add(domain.rules);
      for (const judge::Bucket& bucket : domain.buckets) add(bucket.rules);
    }
  }

  void offer_dropped(const PartVerdicts& verdicts, std::size_t part) {
    for (std::size_t row = 0; row < verdicts.ids.size(); ++row) {
      if (is_kept(verdicts.reasons[row])) continue;
      for (const std::string& reason : split_list(verdicts.all_reasons[row])) {
        if (!is_rule(reason)) continue;
        RuleSample& sample = of(reason);
        ++sample.documents;
        const std::uint64_t id = verdicts.ids[row];
        const std::pair key(0.0, rng_.at(id));
        if (!sample.dropped.wants(key)) continue;
        // The first reason's value is in the verdicts; columns give that of the others below.
        const double value = reason == verdicts.reasons[row]
                                 ? verdicts.values[row]
                                 : std::numeric_limits<double>::quiet_NaN();
        sample.dropped.offer({key, id, {part, row}, value, {}, verdicts.all_reasons[row]});
      }
    }
  }

  Result<void> look_at_columns(const PartVerdicts& verdicts, std::size_t part) {
    PartColumns columns(context_, part);
    for (auto& [reason, sample] : samples_) {
      if (sample.column.empty() || !sample.is_bound) continue;
      HEADRACE_ASSIGN_OR_RETURN(const std::span<const double> values, columns.of(sample.column));
      if (values.size() != verdicts.ids.size()) {
        return corrupt("part {}: {} rows of verdicts but {} of measures: run the recipe again",
                       part, verdicts.ids.size(), values.size());
      }
      const auto scopes = scopes_by_domain(context_, rules_, sample.column);
      HEADRACE_ASSIGN_OR_RETURN(
          const RowScopes rows,
          RowScopes::load(scopes, [&](const std::string& name) { return columns.of(name); }));
      for (Chosen& chosen : sample.dropped.items()) {
        if (chosen.place.part != part) continue;
        chosen.value = values[chosen.place.row];
        const RuleScope& scope = rows.of(context_.domain_of(chosen.id), chosen.place.row);
        chosen.bound = sample.is_max ? scope.max : scope.min;
      }
      offer_passed(verdicts, part, values, rows, &sample);
    }
    return {};
  }

  void offer_passed(const PartVerdicts& verdicts, std::size_t part, std::span<const double> values,
                    const RowScopes& rows, RuleSample* sample) const {
    for (std::size_t row = 0; row < values.size(); ++row) {
      const std::uint64_t id = verdicts.ids[row];
      const RuleScope& scope = rows.of(context_.domain_of(id), row);
      const std::optional<double>& bound = sample->is_max ? scope.max : scope.min;
      if (!bound || !is_kept(verdicts.reasons[row]) || std::isnan(values[row])) continue;
      const double distance = std::abs(values[row] - *bound) / std::max(std::abs(*bound), 1e-9);
      const std::pair key(distance, rng_.at(id));
      if (sample->passed.wants(key))
        sample->passed.offer({key, id, {part, row}, values[row], bound, ""});
    }
  }

  report::AuditItem to_item(const Chosen& chosen, const RuleSample& sample) const {
    const InputFile& file = context_.files[DocumentId{chosen.id}.file()];
    report::AuditItem item;
    item.id = to_string(DocumentId{chosen.id});
    item.domain = context_.domains[file.domain];
    item.source = file.path;
    item.value = chosen.value;
    if (chosen.bound)
      item.bound = fmt::format("{} {}", sample.is_max ? "max" : "min", format_value(*chosen.bound));
    if (!chosen.reasons.empty()) item.reasons = split_list(chosen.reasons);
    return item;
  }

  AuditSample make_items() const {
    AuditSample all;
    for (const auto& [reason, sample] : samples_) {
      report::AuditRule rule;
      rule.reason = reason;
      rule.column = sample.column;
      if (!sample.column.empty()) rule.summary = summary_of(sample.column);
      rule.is_max = sample.is_max;
      rule.documents = sample.documents;
      for (const auto& [from, to] :
           {std::pair(&sample.dropped, &rule.dropped), std::pair(&sample.passed, &rule.passed)}) {
        for (const Chosen& chosen : from->sorted()) {
          to->push_back(to_item(chosen, sample));
          all.places[to->back().id] = chosen.place;
        }
      }
      all.rules.push_back(std::move(rule));
    }
    std::stable_sort(all.rules.begin(), all.rules.end(),
                     [](const auto& a, const auto& b) { return a.documents > b.documents; });
    return all;
  }

  Result<void> read_fronts(AuditSample* sample) const {
    std::map<RowPlace, std::pair<std::string, std::uint64_t>> fronts;
    for (const auto& [id, place] : sample->places) fronts[place] = {};
    for (auto it = fronts.begin(); it != fronts.end();) {
      const std::size_t part = it->first.part;
      std::vector<bool> wanted;
      for (; it != fronts.end() && it->first.part == part; ++it) {
        wanted.resize(std::max(wanted.size(), it->first.row + 1));
        wanted[it->first.row] = true;
      }
      HEADRACE_RETURN_IF_ERROR(
          for_each_text(context_, part, wanted, [&](std::size_t row, const RowText& text) {
            bool cut = false;
            fronts[{part, row}] = {front_of(text.text, kFrontBytes, &cut), text.text.size()};
            return true;
          }));
    }
    for (report::AuditRule& rule : sample->rules) {
      for (std::vector<report::AuditItem>* items : {&rule.dropped, &rule.passed}) {
        for (report::AuditItem& item : *items)
          std::tie(item.front, item.bytes) = fronts.at(sample->places.at(item.id));
      }
    }
    return {};
  }

  const Context& context_;
  const RulesByDomain& rules_;
  const std::size_t per_rule_;
  const CounterRng rng_;
  RuleSamples samples_;
};

}  // namespace

Result<AuditSample> sample_for_audit(const Context& context, const RulesByDomain& rules,
                                     std::uint64_t seed, std::size_t per_rule) {
  return Sampler(context, rules, seed, per_rule).run();
}

}  // namespace headrace::curate
