// SPDX-License-Identifier: Apache-2.0
// Passes that look at each document once and keep what they found (scores, leaks, text of the other
// side): which rows of a part they still have to look at.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "curate/context.h"

namespace headrace::curate {

struct OpenRows {
  std::vector<bool> open;   // not looked at yet
  bool extends = false;     // there are files to build on
  std::string fingerprint;  // of the part's files once they hold the open rows too
  std::uint64_t count = 0;  // of open rows
};

// `wanted`: the rows that the recipe at hand looks at. `fingerprint` of rows that files hold;
// `held`: those that the part's files do hold. Files that are gone, changed, or of something else
// (another model, index or document) count as none.
OpenRows open_rows(const Context& context, std::string_view stage, std::size_t part,
                   std::vector<bool> wanted,
                   const std::function<std::string(const std::vector<bool>&)>& fingerprint,
                   const std::function<Result<std::vector<bool>>()>& held);

}  // namespace headrace::curate
