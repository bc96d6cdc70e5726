// SPDX-License-Identifier: Apache-2.0
// The duplicates of a document, for `headrace explain`.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/run.h"

#include "curate/context.h"

namespace headrace::curate {

// Fills `cluster`, `near` and `earlier` of the story of document `id`, which stands in `part`.
Result<void> add_cluster(const Context& context, std::uint64_t id, std::size_t part,
                         Explanation* story);

// Of what a dropped document is a duplicate, in words: "same as 0:12", "nearly 0:12", "same as 3:7
// of runs/before". `of`: the id in its verdict.
std::string describe_duplicate(const Context& context, std::string_view reason, std::uint64_t of);

}  // namespace headrace::curate
