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
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "measure/measure.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kBins = 60;
constexpr double kLargestLinear = 20;

// Families by the words in a measure's name, first match first.
constexpr std::pair<std::string_view, std::string_view> kFamilies[] = {
    {"stop", "Words"},
    {"dup_", "Repetition"},
    {"repe", "Repetition"},
    {"top_", "Repetition"},
    {"unique", "Repetition"},
    {"distinct", "Repetition"},
    {"_run", "Repetition"},
    {"compression", "Repetition"},
    {"entropy", "Repetition"},
    {"flagged", "Boilerplate and damage"},
    {"phrases", "Boilerplate and damage"},
    {"lorem", "Boilerplate and damage"},
    {"curly", "Boilerplate and damage"},
    {"url", "Boilerplate and damage"},
    {"encoded", "Boilerplate and damage"},
    {"mojibake", "Boilerplate and damage"},
    {"replacement", "Boilerplate and damage"},
    {"control", "Boilerplate and damage"},
    {"sentence", "Sentences"},
    {"line", "Lines and paragraphs"},
    {"paragraph", "Lines and paragraphs"},
    {"word", "Words"},
    {"_share", "Characters"},
    {"", "Lengths and counts"}};

std::string_view family_of(std::string_view measure) {
  for (const auto& [word, family] : kFamilies) {
    if (measure.find(word) != std::string_view::npos) return family;
  }
  return "";
}

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
    bool only_min = false;
    bool only_max = false;
  };
  // By combination, for one measure.
  std::vector<Fate> of(const Recipe::Data& recipe, const std::string& measure) const {
    const std::string below = judge::reason_below_min(measure);
    const std::string above = judge::reason_above_max(measure);
    const std::size_t group = group_of(recipe, measure);
    std::vector<Fate> fates;
    for (const std::vector<std::string>& reasons : combinations_) {
      Fate fate{.kept = reasons.empty()};
      for (const std::string& reason : reasons) {
        fate.breaks |= reason == below || reason == above;
        if (group > 0 && reason != kDuplicateReason)
          fate.comes &= group_of(recipe, column_behind(recipe, reason)) >= group;
      }
      fate.only_min = reasons.size() == 1 && reasons[0] == below;
      fate.only_max = reasons.size() == 1 && reasons[0] == above;
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

// Several rules of one domain on one column all hold: the tightest bounds count.
void add_bounds(const std::vector<judge::Rule>& rules, const std::string& measure,
                report::Histogram::Series* series) {
  for (const judge::Rule& rule : rules) {
    if (rule.column != measure) continue;
    if (rule.min) series->min = std::max(*rule.min, series->min.value_or(*rule.min));
    if (rule.max) series->max = std::min(*rule.max, series->max.value_or(*rule.max));
  }
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
    for (report::EdgeCounts* counts :
         {&series.all, &series.kept, &series.only_min, &series.only_max})
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

void count(double value, const Fates::Fate& fate, const report::Histogram& histogram,
           report::Histogram::Series* series) {
  if (!fate.comes) return;
  if (std::isnan(value)) {
    ++series->nulls;
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
  series->kept[edge] += fate.kept;
  series->only_min[edge] += fate.only_min;
  series->only_max[edge] += fate.only_max;
}

}  // namespace

Result<std::vector<report::Histogram>> collect_histograms(
    const Context& context, const std::vector<judge::RuleSet>& rules) {
  const std::vector<Drawn> columns = drawn_columns(context.recipe);
  std::vector<report::Histogram> histograms;
  for (const Drawn& measure : columns) {
    report::Histogram histogram;
    histogram.measure = measure.name;
    histogram.unit = measure.unit;
    histogram.summary = measure.summary;
    histogram.family = measure.family;
    for (std::size_t domain = 0; domain < context.domains.size(); ++domain) {
      report::Histogram::Series series;
      series.domain = context.domains[domain];
      series.bins.assign(kBins, 0);
      add_bounds(rules[domain].rules, measure.name, &series);
      histogram.series.push_back(std::move(series));
    }
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

  const auto fill = [&](std::size_t part, std::size_t i, const auto& values) -> Result<void> {
    HEADRACE_ASSIGN_OR_RETURN(const Fates* const rows, fates.at(part, values.size()));
    const std::vector<Fates::Fate> by_combination = rows->of(context.recipe, columns[i].name);
    for (std::size_t row = 0; row < values.size(); ++row) {
      count(values[row], by_combination[rows->combination_of(row)], histograms[i],
            &histograms[i].series[rows->domains()[row]]);
    }
    return {};
  };
  HEADRACE_RETURN_IF_ERROR(for_each_column(context, columns, fill));
  return histograms;
}

}  // namespace headrace::curate
