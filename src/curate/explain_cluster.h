// SPDX-License-Identifier: Apache-2.0
// The duplicates of a document, for `headrace explain`.
#pragma once

#include <cstdint>

#include "headrace/run.h"

#include "curate/context.h"

namespace headrace::curate {

// Fills `cluster`, `near` and `earlier` of the story of document `id`, which stands in `part`.
Result<void> add_cluster(const Context& context, std::uint64_t id, std::size_t part,
                         Explanation* story);

}  // namespace headrace::curate
