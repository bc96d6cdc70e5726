// SPDX-License-Identifier: Apache-2.0
// Runs of 10 code points that repeat, found once for all measures of them.
#pragma once

#include <cstdint>
#include <memory>

#include "measure/internal/code_point_run.h"
#include "record/text_view.h"

namespace headrace::measure {

struct CodePointRuns {
  std::uint64_t runs = 0;      // all, overlaps included
  std::uint64_t covered = 0;   // code points inside a run that began earlier, each once
  std::uint64_t frequent = 0;  // occurrences of the most frequent runs (char_10gram_repetition)
  std::uint64_t periodic = 0;  // code points (periodic_run_share)
};

// Keeps its memory for the next text, above 16 MiB only for one that needs as much; at most 200
// MiB. One per thread.
class CodePointRunCounter {
 public:
  CodePointRunCounter();
  ~CodePointRunCounter();

  CodePointRuns count(const TextView& view);

  struct Scratch;

 private:
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace headrace::measure
