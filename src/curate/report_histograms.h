// SPDX-License-Identifier: Apache-2.0
// Measures of a run, by domain, as the report draws them.
#pragma once

#include <vector>

#include "curate/context.h"
#include "judge/judge.h"
#include "report/report.h"

namespace headrace::curate {

// One histogram per measure, with `rules[domain]` as bounds. Holds one part of one measure at a
// time.
Result<std::vector<report::Histogram>> collect_histograms(const Context& context,
                                                          const std::vector<judge::RuleSet>& rules);

}  // namespace headrace::curate
