// SPDX-License-Identifier: Apache-2.0
// headrace stats: percentiles of every measure, and the bounds that they suggest.
//
// A run keeps its columns, and each is read by itself. Files are measured on the way and their
// values held in memory, a row a document. Beyond kMostRows a random sample of the rows is held:
// those whose keyed hash begins with s zero bits, s being the least number that makes them fit. s
// only grows, and only when what was seen so far needs it; so the sample is a function of the
// files, whatever the threads.
#include "headrace/stats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "base/counter_rng.h"
#include "base/error.h"
#include "base/thread_pool.h"
#include "curate/document_rows.h"
#include "curate/file_inputs.h"
#include "curate/measure_columns.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/score_reach.h"
#include "io/file.h"
#include "io/uri.h"
#include "record/parquet_table.h"

namespace headrace {
namespace curate {
namespace {

constexpr std::size_t kMostRows = 500'000;

// `value` to three digits, downwards or upwards, never past it.
double rounded(double value, bool up) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(value))) - 2);
  double digits = up ? std::ceil(value / unit) : std::floor(value / unit);
  for (;; digits += up ? 1 : -1) {
    // Through text, so that 0.28 is written as 0.28.
    const double written = std::stod(fmt::format("{:.4g}", digits * unit));
    if (up ? written >= value : written <= value) return written;
  }
}

// What follows from the values alone, nulls being left out before; reorders them. `documents`: as
// many as shares are of.
void fill_stats(std::span<double> values, std::uint64_t documents, MeasureStats* stats) {
  const std::vector<double> found = judge::percentiles(values, MeasureStats::kPoints);
  if (found.empty()) return;
  std::copy(found.begin(), found.end(), stats->percentiles.begin());
  const double low = rounded(found.front(), false);
  const double high = rounded(found.back(), true);
  const auto share = [&](auto beyond) {
    return static_cast<double>(std::count_if(values.begin(), values.end(), beyond)) /
           static_cast<double>(documents);
  };
  stats->below_min = share([=](double v) { return v < low; });
  stats->above_max = share([=](double v) { return v > high; });
  if (stats->below_min > 0) stats->suggested_min = low;
  if (stats->above_max > 0) stats->suggested_max = high;
}

void add_counts(const MeasureStats& from, MeasureStats* to) {
  if (from.values > 0) {
    to->min = to->values == 0 ? from.min : std::min(to->min, from.min);
    to->max = to->values == 0 ? from.max : std::max(to->max, from.max);
  }
  to->values += from.values;
  to->nulls += from.nulls;
}

// What is left to say of all domains together.
void join_domains(Stats* all) {
  if (all->domains.size() == 1) all->together = all->domains.front();
  all->together.domain.clear();
  all->together.documents = 0;
  for (const DomainStats& domain : all->domains) all->together.documents += domain.documents;
}

Result<Stats> stats_of_run(const std::string& directory, const StatsOptions& options) {
  for (const auto& [given, name] : {std::pair(options.sample.has_value(), "sample"),
                                    std::pair(options.text.has_value(), "text")}) {
    if (given) {
      return invalid_argument("--{} is for files: {} is a run, measured already", name, directory);
    }
  }
  HEADRACE_ASSIGN_OR_RETURN(const auto context, open_context(directory));
  if (!context->finished.contains(kDocuments)) {
    return invalid_argument(
        "{} has no measures yet: let 'headrace run' finish its document pass first", directory);
  }
  Stats all;
  all.measures = measure::registry().names();
  const std::size_t own = all.measures.size();
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<ScoreReach> scores, finished_scores(*context));
  for (const ScoreReach& score : scores) all.measures.push_back(score.spec().name);
  for (const std::string& domain : context->domains)
    all.domains.push_back({domain, 0, std::vector<MeasureStats>(all.measures.size())});
  all.together.measures.resize(all.measures.size());
  HEADRACE_RETURN_IF_ERROR(parallel_for(
      all.measures.size(), thread_count(options.threads), options.stop,
      [&](std::size_t m) -> Result<void> {
        std::vector<std::vector<double>> values(context->domains.size());
        std::vector<std::uint64_t> documents(context->domains.size());
        for (std::size_t part = 0; part < part_count(*context); ++part) {
          HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows,
                                    MeasuredPart::load(*context, part, {all.measures[m]}));
          std::vector<bool> comes;  // of a score
          if (m >= own) {
            HEADRACE_ASSIGN_OR_RETURN(comes, scores[m - own].rows(part));
          }
          for (std::size_t row = 0; row < rows.ids.size(); ++row) {
            if (m >= own && !comes[row]) continue;
            ++documents[rows.domains[row]];
            const double value = rows.values[0][row];
            if (!std::isnan(value)) values[rows.domains[row]].push_back(value);
          }
        }
        for (std::size_t d = 0; d < values.size(); ++d) {
          MeasureStats& stats = all.domains[d].measures[m];
          stats.values = values[d].size();
          stats.nulls = documents[d] - values[d].size();
          if (!values[d].empty()) {
            const auto [min, max] = std::minmax_element(values[d].begin(), values[d].end());
            stats.min = *min;
            stats.max = *max;
          }
          fill_stats(values[d], documents[d], &stats);
          if (m == 0) all.domains[d].documents = documents[d];
        }
        if (values.size() == 1) return {};
        MeasureStats& stats = all.together.measures[m];
        std::vector<double> together;
        for (std::size_t d = 0; d < values.size(); ++d) {
          add_counts(all.domains[d].measures[m], &stats);
          together.insert(together.end(), values[d].begin(), values[d].end());
          std::vector<double>().swap(values[d]);
        }
        fill_stats(together, stats.values + stats.nulls, &stats);
        return {};
      }));
  join_domains(&all);
  return all;
}

// Rows of measured documents, and what is known of all of them.
class MeasuredRows {
 public:
  explicit MeasuredRows(std::size_t domains, std::size_t measures)
      : measures_(measures), counted_(domains) {
    for (DomainStats& domain : counted_) domain.measures.resize(measures);
  }

  // False for a row that is not to be kept.
  bool wants(std::uint64_t key) const { return shift_ == 0 || key >> (64 - shift_) == 0; }

  void add(std::uint64_t key, std::uint32_t domain, std::span<const double> values) {
    DomainStats& counted = counted_[domain];
    ++counted.documents;
    for (std::size_t m = 0; m < measures_; ++m) {
      MeasureStats& stats = counted.measures[m];
      const double value = values[m];
      if (std::isnan(value)) {
        ++stats.nulls;
        continue;
      }
      stats.min = stats.values == 0 ? value : std::min(stats.min, value);
      stats.max = stats.values == 0 ? value : std::max(stats.max, value);
      ++stats.values;
    }
    if (wants(key)) keep(key, domain, values);
  }

  // Takes over the rows of `other`; not thread-safe.
  void merge(const MeasuredRows& other) {
    for (std::size_t d = 0; d < counted_.size(); ++d) merge(other.counted_[d], &counted_[d]);
    while (shift_ < other.shift_) halve();
    for (std::size_t row = 0; row < other.keys_.size(); ++row) {
      if (wants(other.keys_[row])) keep(other.keys_[row], other.domains_[row], other.row(row));
    }
  }

  unsigned shift() const { return shift_; }
  void start_from(unsigned shift) { shift_ = shift; }

  // The finished numbers, by domain and together.
  Result<void> finish(std::size_t threads, std::stop_token stop, Stats* all) {
    all->together.measures.resize(measures_);
    HEADRACE_RETURN_IF_ERROR(
        parallel_for(measures_, threads, stop, [&](std::size_t m) -> Result<void> {
          std::vector<double> together;
          for (std::size_t d = 0; d < counted_.size(); ++d) {
            std::vector<double> values;
            std::uint64_t documents = 0;
            for (std::size_t row = 0; row < keys_.size(); ++row) {
              if (domains_[row] != d) continue;
              ++documents;
              const double value = values_[row * measures_ + m];
              if (!std::isnan(value)) values.push_back(value);
            }
            fill_stats(values, documents, &counted_[d].measures[m]);
            if (counted_.size() == 1) return {};
            add_counts(counted_[d].measures[m], &all->together.measures[m]);
            together.insert(together.end(), values.begin(), values.end());
          }
          fill_stats(together, keys_.size(), &all->together.measures[m]);
          return {};
        }));
    all->domains = std::move(counted_);
    return {};
  }
  std::size_t rows() const { return keys_.size(); }

 private:
  std::span<const double> row(std::size_t row) const {
    return std::span(values_).subspan(row * measures_, measures_);
  }

  void keep(std::uint64_t key, std::uint32_t domain, std::span<const double> values) {
    keys_.push_back(key);
    domains_.push_back(domain);
    values_.insert(values_.end(), values.begin(), values.end());
    while (keys_.size() > kMostRows) halve();
  }

  void halve() {
    ++shift_;
    std::size_t kept = 0;
    for (std::size_t row = 0; row < keys_.size(); ++row) {
      if (!wants(keys_[row])) continue;
      keys_[kept] = keys_[row];
      domains_[kept] = domains_[row];
      std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(row * measures_), measures_,
                  values_.begin() + static_cast<std::ptrdiff_t>(kept * measures_));
      ++kept;
    }
    keys_.resize(kept);
    domains_.resize(kept);
    values_.resize(kept * measures_);
  }

  static void merge(const DomainStats& from, DomainStats* to) {
    to->documents += from.documents;
    for (std::size_t m = 0; m < from.measures.size(); ++m)
      add_counts(from.measures[m], &to->measures[m]);
  }

  std::size_t measures_;
  std::vector<DomainStats> counted_;
  unsigned shift_ = 0;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> domains_;
  std::vector<double> values_;  // row after row
};

// Measures the documents of one task.
class MeasuringSink final : public read::RecordSink {
 public:
  MeasuringSink(const Context& context, const RowRecipe& recipe, MeasuredRows rows)
      : context_(context),
        sampler_(0, purpose("sample")),
        keys_(0, purpose("stats")),
        maker_(recipe),
        rows_(std::move(rows)) {}

  Result<void> document(Document& document) override {
    const std::uint64_t id = document.id.value;
    if (context_.sample && sampler_.unit(id) >= *context_.sample) return {};
    row_.take(document, context_.domain_of(id));
    maker_.fill(row_);
    rows_.add(keys_.at(id), row_.domain, row_.values);
    return {};
  }
  Result<void> rejected(const RejectedRecord&) override {
    ++rejected_;
    return {};
  }

  const MeasuredRows& rows() const { return rows_; }
  std::uint64_t rejected_count() const { return rejected_; }

 private:
  const Context& context_;
  const CounterRng sampler_;
  const CounterRng keys_;
  RowMaker maker_;
  DocumentRow row_;
  MeasuredRows rows_;
  std::uint64_t rejected_ = 0;
};

Result<Stats> stats_of_files(const std::vector<std::string>& inputs, const StatsOptions& options) {
  if (options.sample && !(*options.sample > 0 && *options.sample <= 1))
    return invalid_argument("sample must be more than 0 and at most 1, not {}", *options.sample);
  HEADRACE_ASSIGN_OR_RETURN(const auto opened, open_files({.paths = inputs,
                                                           .text = options.text.value_or("text"),
                                                           .keep = std::nullopt,
                                                           .threads = options.threads,
                                                           .stop = options.stop}));
  Context& context = *opened;
  context.sample = options.sample;

  HEADRACE_ASSIGN_OR_RETURN(const RowRecipe row_recipe, RowRecipe::make(context.recipe));
  Stats all;
  all.measures = measure::registry().names();
  MeasuredRows rows(context.domains.size(), all.measures.size());
  std::mutex mutex;  // guards `rows` and `all`
  HEADRACE_RETURN_IF_ERROR(parallel_for(
      context.tasks.size(), context.threads, context.stop, [&](std::size_t task) -> Result<void> {
        MeasuredRows own(context.domains.size(), all.measures.size());
        {
          const std::lock_guard lock(mutex);
          own.start_from(rows.shift());
        }
        MeasuringSink sink(context, row_recipe, std::move(own));
        for (const read::Split& split : context.tasks[task].splits)
          HEADRACE_RETURN_IF_ERROR(context.readers->of(split.file).read(split, sink, context.stop));
        const std::lock_guard lock(mutex);
        rows.merge(sink.rows());
        all.rejected += sink.rejected_count();
        return {};
      }));
  if (rows.shift() > 0) all.percentiles_from = rows.rows();
  HEADRACE_RETURN_IF_ERROR(rows.finish(context.threads, context.stop, &all));
  for (std::size_t d = 0; d < all.domains.size(); ++d) all.domains[d].domain = context.domains[d];
  join_domains(&all);
  return all;
}

}  // namespace
}  // namespace curate

Result<Stats> stats(const std::vector<std::string>& inputs, const StatsOptions& options) {
  if (inputs.empty()) return invalid_argument("stats: no input");
  for (const std::string& input : inputs) {
    if (io::is_remote(input) || !io::exists(io::join(input, "run.json"))) continue;
    if (inputs.size() == 1) return curate::stats_of_run(input, options);
    return invalid_argument("{} is a run: its measures are shown alone, without other inputs",
                            input);
  }
  return curate::stats_of_files(inputs, options);
}

}  // namespace headrace
