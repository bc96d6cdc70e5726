// SPDX-License-Identifier: Apache-2.0
// The columns of a run that rules see, one by one: measures, and scores.
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

// Some columns of one part. Of a score: NaN also for rows that were never scored.
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
  PartColumns(const Context& context, std::size_t part) : context_(context), part_(part) {}
  // Valid as long as this is.
  Result<std::span<const double>> of(const std::string& name);

 private:
  const Context& context_;
  const std::size_t part_;
  std::map<std::string, std::vector<double>> columns_;
};

// One part, judged.
struct JudgedPart {
  std::vector<std::uint64_t> ids;
  std::vector<std::vector<double>> values;  // by column; empty for those that nobody asked for
  judge::Verdicts verdicts;

  // `more`: indexes of columns to read that no rule looks at.
  static Result<JudgedPart> load(const Context& context, const judge::Judge& judge,
                                 std::size_t part, const std::vector<std::size_t>& more = {});
};

// Values of a column in one domain, among rows that meet `when` and, where there is a judge, that
// it keeps; nulls left out.
Result<std::vector<double>> domain_values(const Context& context, std::uint32_t domain,
                                          const std::string& column,
                                          const std::vector<judge::Condition>& when,
                                          const judge::Judge* judge = nullptr);

}  // namespace headrace::curate
