// SPDX-License-Identifier: Apache-2.0
#include "curate/measure_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "curate/part_rows.h"
#include "curate/passes.h"

namespace headrace::curate {

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
    rows.values.emplace_back().reserve(rows.ids.size());
    HEADRACE_RETURN_IF_ERROR(reader->read_double(column, &rows.values.back()));
  }
  return rows;
}

Result<PartColumns> PartColumns::open(const Context& context, std::size_t part) {
  PartColumns columns;
  HEADRACE_ASSIGN_OR_RETURN(columns.reader_,
                            ParquetReader::open(context.directory.at(
                                RunDirectory::part(kMeasuresFolder, part, "parquet"))));
  return columns;
}

Result<std::span<const double>> PartColumns::of(const std::string& name) {
  const auto [entry, is_new] = columns_.try_emplace(name);
  if (is_new) HEADRACE_RETURN_IF_ERROR(reader_->read_double(name, &entry->second));
  return std::span<const double>(entry->second);
}

Result<std::vector<double>> domain_values(const Context& context, std::uint32_t domain,
                                          const std::string& column,
                                          const std::vector<judge::Condition>& when) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::string> columns = {column};
  for (const judge::Condition& condition : when) columns.push_back(condition.column);
  std::vector<double> kept;
  for (std::size_t part = 0; part < part_count(context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(const MeasuredPart rows, MeasuredPart::load(context, part, columns));
    for (std::size_t row = 0; row < rows.ids.size(); ++row) {
      bool wanted = rows.domains[row] == domain && !std::isnan(rows.values[0][row]);
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
