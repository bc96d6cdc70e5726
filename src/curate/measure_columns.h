// SPDX-License-Identifier: Apache-2.0
// The measures of a run, column by column.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "curate/context.h"
#include "judge/judge.h"

namespace headrace::curate {

// Some columns of one part.
struct MeasuredPart {
  std::vector<std::uint64_t> ids;
  std::vector<std::uint32_t> domains;
  std::vector<std::vector<double>> values;  // in the order asked for

  static Result<MeasuredPart> load(const Context& context, std::size_t part,
                                   const std::vector<std::string>& columns);
};

// Values of a measure in one domain, among rows that meet `when`, nulls left out.
Result<std::vector<double>> domain_values(const Context& context, std::uint32_t domain,
                                          const std::string& column,
                                          const std::vector<judge::Condition>& when);

}  // namespace headrace::curate
