// SPDX-License-Identifier: Apache-2.0
// What the checks for leaks found in one document.
#pragma once

#include <cstddef>

#include "headrace/run.h"

#include "curate/context.h"

namespace headrace::curate {

// `story` has the document's id and text.
Result<void> add_leaks(const Context& context, std::size_t part, std::size_t row,
                       Explanation* story);

}  // namespace headrace::curate
