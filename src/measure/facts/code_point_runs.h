// SPDX-License-Identifier: Apache-2.0
// Runs of 10 code points that repeat, found once for all measures of them.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/facts/periods.h"
#include "measure/facts/repeats.h"
#include "record/text_view.h"

namespace headrace::measure {

inline constexpr unsigned kRunCodePoints = 10;

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
  CodePointRuns count(const TextView& view);

 private:
  void count_piece(const TextView& view, std::size_t first_block, std::size_t last_block,
                   CodePointRuns* facts);

  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> sizes_;
  RepeatFinder finder_;
  PeriodCounter periods_;
};

}  // namespace headrace::measure
