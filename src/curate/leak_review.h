// SPDX-License-Identifier: Apache-2.0
// What the review of leaks shows of a run.
#pragma once

#include <cstdint>
#include <optional>

#include "headrace/result.h"

#include "curate/context.h"
#include "report/leak_review.h"

namespace headrace::curate {

// Finds in documents that came to the check and that no rule dropped since, a uniform sample of
// `per_group` of each set and verdict, drawn by (seed, find). Nothing where the run looked for no
// leaks. The texts are read when they are asked for, from `context`, which must outlive it.
Result<std::optional<report::LeakReviewData>> leak_review(const Context& context,
                                                          std::uint64_t seed,
                                                          std::size_t per_group);

}  // namespace headrace::curate
