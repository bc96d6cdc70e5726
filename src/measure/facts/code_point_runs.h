// SPDX-License-Identifier: Apache-2.0
// Runs of 10 code points that began earlier in the text, counted once for all measures of them.
#pragma once

#include <cstdint>
#include <memory>

#include "record/text_view.h"

namespace headrace::measure {

inline constexpr unsigned kRunCodePoints = 10;

struct CodePointRuns {
  std::uint64_t covered = 0;  // code points inside a repeated run, each once
};

// Keeps up to 16 MiB for the next text; while it works at most 150 MiB. One per thread.
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
