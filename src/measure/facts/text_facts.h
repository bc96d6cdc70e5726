// SPDX-License-Identifier: Apache-2.0
// What several measures need, counted once per text. A measure of facts/x.h costs what a division
// costs; all the work is in the counters, and each of them looks at the text once for all its
// measures.
#pragma once

#include "measure/facts/code_point_runs.h"
#include "measure/facts/lines.h"
#include "record/text_view.h"

namespace headrace::measure {

// Points into the view's memory: valid as long as the view.
struct TextFacts {
  TextView view;
  CodePointRuns code_point_runs;
  LineFacts lines;
};

// Keeps the counters' memory for the next text. One per thread.
class TextFactsBuilder {
 public:
  // The result is valid until the next call.
  const TextFacts& build(const TextView& view);

 private:
  CodePointRunCounter code_point_runs_;
  LineCounter lines_;
  TextFacts facts_;
};

}  // namespace headrace::measure
