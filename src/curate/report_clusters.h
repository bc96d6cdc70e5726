// SPDX-License-Identifier: Apache-2.0
// The clusters of near duplicates that a report shows.
#pragma once

#include <optional>

#include "headrace/result.h"

#include "curate/context.h"
#include "report/report.h"

namespace headrace::curate {

// Nothing where the recipe does not look for them. Reads the texts of some members of the largest
// clusters.
Result<std::optional<report::ClusterReport>> collect_clusters(const Context& context);

}  // namespace headrace::curate
