// SPDX-License-Identifier: Apache-2.0
// Runs of 10 code points that repeat, found once for all measures of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "record/text_view.h"

namespace headrace::measure {

inline constexpr unsigned kRunCodePoints = 10;

// A longer text is measured in pieces of as many bytes: what is counted is added up, and nothing
// repeats across them.
inline constexpr std::size_t kRunPieceBytes = std::size_t{1} << 16;

struct CodePointRuns {
  std::uint64_t runs = 0;      // all, overlaps included
  std::uint64_t covered = 0;   // code points inside a run that began earlier, each once
  std::uint64_t frequent = 0;  // occurrences of the most frequent runs (char_10gram_repetition)
  std::uint64_t periodic = 0;  // code points (periodic_run_share)
};

// Keeps up to 2 MiB for the next text. One per thread.
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
