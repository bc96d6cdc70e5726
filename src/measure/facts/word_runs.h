// SPDX-License-Identifier: Apache-2.0
// Runs of 10 words that repeat.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/facts/repeats.h"
#include "record/text_view.h"

namespace headrace::measure {

inline constexpr unsigned kRunWords = 10;

struct WordRuns {
  std::uint64_t runs = 0;      // all, overlaps included
  std::uint64_t repeated = 0;  // those that occur more than once, all their occurrences
};

// Keeps up to 16 MiB for the next text; while it works at most 50 MiB. One per thread.
class WordRunCounter {
 public:
  WordRuns count(const TextView& view);

 private:
  std::vector<std::uint64_t> hashes_;
  RepeatFinder finder_;
};

}  // namespace headrace::measure
