// SPDX-License-Identifier: Apache-2.0
// Training documents that hold text of validation documents, of those that the rules keep.
#pragma once

#include <cstdint>
#include <vector>

#include "headrace/result.h"

#include "curate/context.h"
#include "judge/judge.h"

namespace headrace::curate {

struct ValidationLeak {
  std::uint64_t id = 0;             // of the training document
  std::uint64_t validation_id = 0;  // of the one that it shares most with
  bool leak = false;                // else too little to be one
  double share = 0;                 // of either document, the larger
};

// By id, each document once. Text of validation documents that `judge` drops does not count: nobody
// validates with it.
Result<std::vector<ValidationLeak>> find_validation_leaks(const Context& context,
                                                          const judge::Judge& judge,
                                                          std::size_t parts);

}  // namespace headrace::curate
