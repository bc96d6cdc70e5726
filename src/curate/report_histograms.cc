// SPDX-License-Identifier: Apache-2.0
// Columns of measures → histograms, and beside each value what the verdicts say of its document: so
// the page can tell what a line would change among documents that no other rule drops. Reasons are
// read from the verdicts rather than judged again, so whatever a rule is made of, its count is that
// of the run.
#include "curate/report_histograms.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/options.h"
#include "curate/judge_columns.h"
#include "curate/measure_columns.h"
#include "curate/measure_families.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/rule_scopes.h"
#include "measure/measure.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kBins = 60;
constexpr double kLargestLinear = 20;

// What the rules say of the rows of one part. Rows share a few combinations of reasons.
class Fates {
 public:
  static Result<Fates> load(const Context& context, std::size_t part) {
    Fates fates;
    HEADRACE_ASSIGN_OR_RETURN(const PartVerdicts verdicts, load_verdicts(context, part));
    std::map<std::string, std::size_t> known;
    for (std::size_t row = 0; row < verdicts.ids.size(); ++row) {
      const std::string& all =
          verdicts.reasons[row] == kQuotaReason ? "" : verdicts.all_reasons[row];
      const auto [entry, is_new] = known.try_emplace(all, fates.combinations_.size());
      if (is_new)
        fates.combinations_.push_back(all.empty() ? std::vector<std::string>() : split_list(all));
      fates.rows_.push_back(entry->second);
      fates.domains_.push_back(context.domain_of(verdicts.ids[row]));
    }
    return fates;
  }

  struct Fate {
    bool comes = true;  // to the score, where the column is one: nothing before dropped it
    bool kept = false;
    bool breaks = false;  // a bound of the measure, whatever else
    bool alone = false;   // dropped, and by rules on this measure only
  };
  // By combination, for one measure.
  std::vector<Fate> of(const Recipe::Data& recipe, const std::string& measure) const {
    const std::string below = judge::reason_below_min(measure);
    const std::string above = judge::reason_above_max(measure);
    const std::string null = null_reason(recipe, measure);
    const std::size_t group = group_of(recipe, measure);
    std::vector<Fate> fates;
    for (const std::vector<std::string>& reasons : combinations_) {
      Fate fate{.kept = reasons.empty(), .alone = !reasons.empty()};
      for (const std::string& reason : reasons) {
        const bool bound = reason == below || reason == above;
        fate.breaks |= bound;
        fate.alone &= bound || reason == null;
        if (group > 0 && !is_duplicate(reason) && reason != kValidationLeakReason)
          fate.comes &= group_of(recipe, column_behind(recipe, reason)) >= group;
      }
      fates.push_back(fate);
    }
    return fates;
  }
  std::size_t combination_of(std::size_t row) const { return rows_[row]; }
  const std::vector<std::uint32_t>& domains() const { return domains_; }

 private:
  std::vector<std::size_t> rows_;       // row → combination
  std::vector<std::uint32_t> domains_;  // row → domain
  std::vector<std::vector<std::string>> combinations_;
};

// A column to draw.
struct Drawn {
  std::string name;
  std::string unit;
  std::string summary;
  std::string family;
  bool is_score = false;
};

// All measures, then the scores.
std::vector<Drawn> drawn_columns(const Recipe::Data& recipe) {
  std::vector<Drawn> columns;
  for (const measure::Measure& measure : measure::registry().all()) {
    columns.push_back(
        {measure.name, measure.unit, measure.summary, std::string(family_of(measure.name))});
  }
  for (const ScoreSpec& spec : recipe.scores) {
    columns.push_back(
        {spec.name, "score", fmt::format("what the {} model says", spec.kind), "Scores", true});
  }
  return columns;
}

// Part by part and column by column, so that memory holds one.
template <class Each>
Result<void> for_each_column(const Context& context, const std::vector<Drawn>& columns, Each each) {
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(auto reader,
                              ParquetReader::open(context.directory.at(
                                  RunDirectory::part(kMeasuresFolder, part, "parquet"))));
    for (std::size_t i = 0; i < columns.size(); ++i) {
      std::vector<double> values;
      if (columns[i].is_score) {
        HEADRACE_ASSIGN_OR_RETURN(MeasuredPart rows,
                                  MeasuredPart::load(context, part, {columns[i].name}));
        values = std::move(rows.values[0]);
      } else {
        HEADRACE_RETURN_IF_ERROR(reader->read_double(columns[i].name, &values));
      }
      HEADRACE_RETURN_IF_ERROR(each(part, i, values));
    }
  }
  return {};
}

// Scopes of one measure by domain, and which series each is.
struct MeasureScopes {
  std::vector<std::vector<RuleScope>> by_domain;
  std::vector<std::vector<std::size_t>> series;  // by domain and scope
  std::vector<std::vector<RuleScope>> written;   // what a new bound would stand beside
};

MeasureScopes add_series(const Context& context, const std::vector<judge::RuleSet>& rules,
                         report::Histogram* histogram) {
  MeasureScopes scopes;
  for (std::size_t domain = 0; domain < context.domains.size(); ++domain) {
    const std::string& name = context.domains[domain];
    scopes.by_domain.push_back(
        scopes_of(rules[domain], histogram->measure, context.recipe.base_place(name)));
    scopes.series.emplace_back();
    scopes.written.emplace_back();
    for (const RuleScope& scope : scopes.by_domain.back()) {
      scopes.series.back().push_back(histogram->series.size());
      scopes.written.back().push_back(written_scope(scopes.by_domain.back(), scope));
      report::Histogram::Series series{.domain = name, .min = scope.min, .max = scope.max};
      series.bins.assign(kBins, 0);
      series.scope = describe(scope.when);
      series.place = scope.origin.place;
      histogram->series.push_back(std::move(series));
    }
  }
  return scopes;
}

// A scope that no document falls into is left out, unless its domain has no other.
void drop_empty_series(report::Histogram* histogram) {
  const auto is_empty = [](const report::Histogram::Series& series) {
    return series.nulls == 0 && std::all_of(series.bins.begin(), series.bins.end(),
                                            [](std::uint64_t n) { return n == 0; });
  };
  std::vector<report::Histogram::Series> kept;
  for (auto begin = histogram->series.begin(); begin != histogram->series.end();) {
    const auto end = std::find_if(begin, histogram->series.end(), [&](const auto& series) {
      return series.domain != begin->domain;
    });
    const bool none = std::all_of(begin, end, is_empty);
    for (auto series = begin; series != end; ++series) {
      if (none ? series == begin : !is_empty(*series)) kept.push_back(std::move(*series));
    }
    begin = end;
  }
  histogram->series = std::move(kept);
}

// The scale and the edges, once the range of the values is known.
void choose_axis(const std::string& unit, report::Histogram* histogram) {
  histogram->scale = unit == "share" ? report::Scale::kSquareRoot
                     : histogram->low < 0 || histogram->high <= kLargestLinear
                         ? report::Scale::kLinear
                         : report::Scale::kLogarithmic;
  std::vector<double> bounds;
  for (const report::Histogram::Series& series : histogram->series) {
    for (const std::optional<double>& bound : {series.min, series.max})
      if (bound) bounds.push_back(*bound);
  }
  histogram->edges = report::line_edges(histogram->scale, histogram->low, histogram->high, bounds);
  for (report::Histogram::Series& series : histogram->series) {
    for (report::EdgeCounts* counts : {&series.all, &series.min_line.kept, &series.min_line.open,
                                       &series.max_line.kept, &series.max_line.open})
      counts->assign(2 * histogram->edges.size() + 1, 0);
  }
}

// The fates of the part at hand.
class FatesOfPart {
 public:
  explicit FatesOfPart(const Context& context) : context_(context) {}
  Result<const Fates*> at(std::size_t part, std::size_t rows) {
    if (!fates_ || part != part_) {
      HEADRACE_ASSIGN_OR_RETURN(fates_, Fates::load(context_, part));
      part_ = part;
    }
    if (fates_->domains().size() == rows) return &*fates_;
    return corrupt("part {}: {} rows of verdicts but {} of measures: run the recipe again", part,
                   fates_->domains().size(), rows);
  }

 private:
  const Context& context_;
  std::optional<Fates> fates_;
  std::size_t part_ = 0;
};

// What a new bound on one side changes for a document: it takes the place of what stands there,
// while `written`, the bound on the other side, stays. `inside`: the value meets that one.
void count_line(std::optional<std::size_t> edge, const Fates::Fate& fate, bool inside,
                report::Histogram::Line* line) {
  if (fate.kept) {
    if (edge && inside) ++line->kept[*edge];
    if (!inside) ++line->dropped_anyway;
  } else if (fate.alone && inside) {
    if (edge) ++line->open[*edge];
    if (!edge) ++line->kept_anyway;
  }
}

void count(double value, const Fates::Fate& fate, const report::Histogram& histogram,
           const RuleScope& written, report::Histogram::Series* series) {
  if (!fate.comes) return;
  if (std::isnan(value)) {
    ++series->nulls;
    for (report::Histogram::Line* line : {&series->min_line, &series->max_line})
      count_line({}, fate, !written.drop_null, line);
    return;
  }
  const double low = report::scaled(histogram.scale, histogram.low);
  const double span = report::scaled(histogram.scale, histogram.high) - low;
  const double place = span > 0 ? (report::scaled(histogram.scale, value) - low) / span : 0;
  const double bin = std::clamp(place * static_cast<double>(kBins), 0.0, kBins - 1.0);
  ++series->bins[static_cast<std::size_t>(bin)];
  series->outside += fate.breaks;
  const std::size_t edge = report::edge_place(histogram.edges, value);
  ++series->all[edge];
  count_line(edge, fate, !written.max || value <= *written.max, &series->min_line);
  count_line(edge, fate, !written.min || value >= *written.min, &series->max_line);
}

}  // namespace

Result<std::vector<report::Histogram>> collect_histograms(
    const Context& context, const std::vector<judge::RuleSet>& rules) {
  const std::vector<Drawn> columns = drawn_columns(context.recipe);
  std::vector<report::Histogram> histograms;
  std::vector<MeasureScopes> scopes;
  for (const Drawn& measure : columns) {
    report::Histogram histogram;
    histogram.measure = measure.name;
    histogram.unit = measure.unit;
    histogram.summary = measure.summary;
    histogram.family = measure.family;
    scopes.push_back(add_series(context, rules, &histogram));
    histograms.push_back(std::move(histogram));
  }
  // Shares go from 0 to 1; all else as far as there are values: those columns are read twice.
  FatesOfPart fates(context);
  const auto widen = [&](std::size_t part, std::size_t i, const auto& values) -> Result<void> {
    if (columns[i].unit == "share") return {};
    std::vector<Fates::Fate> by_combination;
    const Fates* rows = nullptr;
    if (columns[i].is_score) {
      HEADRACE_ASSIGN_OR_RETURN(rows, fates.at(part, values.size()));
      by_combination = rows->of(context.recipe, columns[i].name);
    }
    for (std::size_t row = 0; row < values.size(); ++row) {
      if (rows != nullptr && !by_combination[rows->combination_of(row)].comes) continue;
      histograms[i].high = std::fmax(histograms[i].high, values[row]);
      histograms[i].low = std::fmin(histograms[i].low, values[row]);
    }
    return {};
  };
  HEADRACE_RETURN_IF_ERROR(for_each_column(context, columns, widen));
  for (std::size_t i = 0; i < histograms.size(); ++i) choose_axis(columns[i].unit, &histograms[i]);

  std::optional<PartColumns> conditions;
  const auto fill = [&](std::size_t part, std::size_t i, const auto& values) -> Result<void> {
    if (i == 0) conditions.emplace(context, part);
    HEADRACE_ASSIGN_OR_RETURN(const Fates* const fate, fates.at(part, values.size()));
    HEADRACE_ASSIGN_OR_RETURN(const RowScopes rows,
                              RowScopes::load(scopes[i].by_domain, [&](const std::string& name) {
                                return conditions->of(name);
                              }));
    const std::vector<Fates::Fate> by_combination = fate->of(context.recipe, columns[i].name);
    for (std::size_t row = 0; row < values.size(); ++row) {
      const std::uint32_t domain = fate->domains()[row];
      const std::size_t scope = rows.index_of(domain, row);
      count(values[row], by_combination[fate->combination_of(row)], histograms[i],
            scopes[i].written[domain][scope],
            &histograms[i].series[scopes[i].series[domain][scope]]);
    }
    return {};
  };
  HEADRACE_RETURN_IF_ERROR(for_each_column(context, columns, fill));
  for (report::Histogram& histogram : histograms) drop_empty_series(&histogram);
  return histograms;
}

}  // namespace headrace::curate
