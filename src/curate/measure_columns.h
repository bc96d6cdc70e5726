// SPDX-License-Identifier: Apache-2.0
// The measures of a run, column by column.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "curate/context.h"
#include "judge/judge.h"
#include "record/parquet_table.h"

namespace headrace::curate {

// Some columns of one part.
struct MeasuredPart {
  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> domains;
  std::vector<std::vector<double>> values;  // in the order asked for

  static Result<MeasuredPart> load(const Context& context, std::size_t part,
                                   const std::vector<std::string>& columns);
};

// Columns of one part, read when they are first asked for. Single-threaded.
class PartColumns {
 public:
  static Result<PartColumns> open(const Context& context, std::size_t part);
  // Valid as long as this is.
  Result<std::span<const double>> of(const std::string& name);

 private:
  std::unique_ptr<ParquetReader> reader_;
  std::map<std::string, std::vector<double>> columns_;
};

// Values of a measure in one domain, among rows that meet `when`, nulls left out.
Result<std::vector<double>> domain_values(const Context& context, std::uint32_t domain,
                                          const std::string& column,
                                          const std::vector<judge::Condition>& when);

}  // namespace headrace::curate
