// SPDX-License-Identifier: Apache-2.0
#include "curate/report_histograms.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "measure/measure.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

constexpr std::size_t kBins = 60;

// Part by part, so that memory holds one.
template <class Each>
Result<void> for_each_part(const Context& context, const std::string& measure, Each each) {
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(auto reader,
                              ParquetReader::open(context.directory.at(
                                  RunDirectory::part(kMeasuresFolder, part, "parquet"))));
    std::vector<std::uint64_t> ids;
    std::vector<double> values;
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
    HEADRACE_RETURN_IF_ERROR(reader->read_double(measure, &values));
    each(ids, values);
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

void count(double value, const report::Histogram& histogram, double scale,
           report::Histogram::Series* series) {
  if (std::isnan(value)) {
    ++series->nulls;
    return;
  }
  const double place = report::scaled(histogram.scale, value) / scale;
  const double bin = std::clamp(place * static_cast<double>(kBins), 0.0, kBins - 1.0);
  ++series->bins[static_cast<std::size_t>(bin)];
  series->outside += (series->min && value < *series->min) || (series->max && value > *series->max);
}

}  // namespace

Result<std::vector<report::Histogram>> collect_histograms(
    const Context& context, const std::vector<judge::RuleSet>& rules) {
  std::vector<report::Histogram> histograms;
  for (const auto& measure : measure::registry().measures()) {
    report::Histogram histogram;
    histogram.measure = measure.name;
    histogram.unit = measure.unit;
    histogram.summary = measure.summary;
    for (std::size_t domain = 0; domain < context.domains.size(); ++domain) {
      report::Histogram::Series series;
      series.domain = context.domains[domain];
      series.bins.assign(kBins, 0);
      add_bounds(rules[domain].rules, measure.name, &series);
      histogram.series.push_back(std::move(series));
    }
    // Shares go from 0 to 1; all else is a length or a count, up to the highest that there is: the
    // column is read twice for it.
    histogram.scale = report::Scale::kSquareRoot;
    if (measure.unit != "share") {
      histogram.scale = report::Scale::kLogarithmic;
      HEADRACE_RETURN_IF_ERROR(
          for_each_part(context, measure.name, [&](const auto&, const auto& values) {
            for (const double value : values) histogram.high = std::fmax(histogram.high, value);
          }));
    }
    const double scale = report::scaled(histogram.scale, histogram.high);
    HEADRACE_RETURN_IF_ERROR(
        for_each_part(context, measure.name, [&](const auto& ids, const auto& values) {
          for (std::size_t row = 0; row < ids.size(); ++row)
            count(values[row], histogram, scale, &histogram.series[context.domain_of(ids[row])]);
        }));
    histograms.push_back(std::move(histogram));
  }
  return histograms;
}

}  // namespace headrace::curate
