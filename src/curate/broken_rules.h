// SPDX-License-Identifier: Apache-2.0
// What explain says of the rules that a document breaks.
#pragma once

#include <string>
#include <vector>

#include "headrace/run.h"

#include "curate/context.h"
#include "record/document.h"

namespace headrace::curate {

// One for each of `reasons` that a rule on a measure gives. `text`: of the document, as stored.
Result<std::vector<Explanation::BrokenRule>> broken_rules(const Context& context, std::size_t part,
                                                          std::size_t row, DocumentId id,
                                                          const std::vector<std::string>& reasons,
                                                          const std::string& text);

}  // namespace headrace::curate
