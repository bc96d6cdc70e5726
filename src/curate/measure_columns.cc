// SPDX-License-Identifier: Apache-2.0
#include "curate/measure_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "curate/judge_columns.h"
#include "curate/leak_verdict.h"
#include "curate/part_rows.h"
#include "curate/passes.h"

namespace headrace::curate {
namespace {

// The column of a score, by row: its value, or whether its label is none of those to keep.
std::vector<double> column_of(ScoredPart scores, const ScoreSpec& spec, const std::string& column) {
  if (!is_label_flag(spec, column)) return std::move(scores.values);
  std::vector<double> flags;
  std::vector<double> by_label;
  for (const std::string& label : scores.labels)
    by_label.push_back(std::find(spec.keep.begin(), spec.keep.end(), label) == spec.keep.end());
  by_label[ScoredPart::kNoLabel] = std::numeric_limits<double>::quiet_NaN();
  for (const std::uint32_t label : scores.label) flags.push_back(by_label[label]);
  return flags;
}

}  // namespace

Result<MeasuredPart> MeasuredPart::load(const Context& context, std::size_t part,
                                        const std::vector<std::string>& columns) {
  MeasuredPart rows;
  HEADRACE_ASSIGN_OR_RETURN(
      auto reader, ParquetReader::open(
                       context.directory.at(RunDirectory::part(kMeasuresFolder, part, "parquet"))));
  rows.ids.reserve(reader->rows());
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &rows.ids));
  rows.domains.resize(rows.ids.size());
  std::transform(rows.ids.begin(), rows.ids.end(), rows.domains.begin(),
                 [&](std::uint64_t id) { return context.domain_of(id); });
  for (const std::string& column : columns) {
    rows.values.emplace_back();
    if (context.recipe.leak && column == kLeakColumn) {
      HEADRACE_ASSIGN_OR_RETURN(rows.values.back(), leak_column(context, part));
      if (rows.values.back().size() == rows.ids.size()) continue;
      return corrupt("{} does not have the documents of its part: remove tasks/{} and run again",
                     context.directory.at(leak_documents_file(part)), kLeaks);
    }
    const ScoreSpec* const spec = score_of(context.recipe, column);
    if (spec == nullptr) {
      rows.values.back().reserve(rows.ids.size());
      HEADRACE_RETURN_IF_ERROR(reader->read_double(column, &rows.values.back()));
      continue;
    }
    HEADRACE_ASSIGN_OR_RETURN(ScoredPart scores,
                              ScoredPart::load(context.directory, spec->name, part));
    if (scores.ids != rows.ids) {
      return corrupt("{} does not have the documents of its part: remove tasks/{} and run again",
                     context.directory.at(score_file(spec->name, part)), score_stage(spec->name));
    }
    rows.values.back() = column_of(std::move(scores), *spec, column);
  }
  return rows;
}

Result<JudgedPart> JudgedPart::load(const Context& context, const judge::Judge& judge,
                                    std::size_t part, const std::vector<std::size_t>& more) {
  const std::vector<std::string> names = judge_columns(context.recipe);
  std::vector<std::size_t> columns = judge.columns();
  columns.insert(columns.end(), more.begin(), more.end());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  std::vector<std::string> looked_at;
  for (const std::size_t column : columns) looked_at.push_back(names[column]);
  HEADRACE_ASSIGN_OR_RETURN(MeasuredPart rows, MeasuredPart::load(context, part, looked_at));
  JudgedPart judged;
  judged.values.resize(names.size());
  for (std::size_t i = 0; i < columns.size(); ++i)
    judged.values[columns[i]] = std::move(rows.values[i]);
  const std::vector<std::span<const double>> spans(judged.values.begin(), judged.values.end());
  judged.verdicts = judge.judge(spans, rows.domains);
  judged.ids = std::move(rows.ids);
  return judged;
}

Result<std::span<const double>> PartColumns::of(const std::string& name) {
  const auto [entry, is_new] = columns_.try_emplace(name);
  if (is_new) {
    HEADRACE_ASSIGN_OR_RETURN(MeasuredPart rows, MeasuredPart::load(context_, part_, {name}));
    entry->second = std::move(rows.values[0]);
  }
  return std::span<const double>(entry->second);
}

Result<std::vector<double>> domain_values(const Context& context, std::uint32_t domain,
                                          const std::string& column,
                                          const std::vector<judge::Condition>& when,
                                          const judge::Judge* judge) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::string> columns = {column};
  for (const judge::Condition& condition : when) columns.push_back(condition.column);
  std::vector<double> kept;
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(context, part, columns));
    JudgedPart judged;
    if (judge != nullptr) {
      HEADRACE_ASSIGN_OR_RETURN(judged, JudgedPart::load(context, *judge, part));
    }
    for (std::size_t row = 0; row < rows.ids.size(); ++row) {
      bool wanted = rows.domains[row] == domain && !std::isnan(rows.values[0][row]) &&
                    (judge == nullptr || judged.verdicts.kept(row));
      for (std::size_t i = 0; wanted && i < when.size(); ++i) {
        const double value = rows.values[i + 1][row];
        wanted =
            value >= when[i].min.value_or(-kInfinity) && value <= when[i].max.value_or(kInfinity);
      }
      if (wanted) kept.push_back(rows.values[0][row]);
    }
  }
  return kept;
}

}  // namespace headrace::curate
