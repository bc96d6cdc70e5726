// SPDX-License-Identifier: Apache-2.0
// From a run on a sample to the run on everything.
#pragma once

#include "headrace/run.h"

#include "curate/context.h"

namespace headrace::curate {

// Wall seconds of this process.
struct RunTimes {
  double documents = 0;  // the document pass
  double later = 0;      // all passes after it
  bool whole = false;    // nothing had been done before
};

// `context.sample` is set and all passes are finished.
Result<Projection> project(const Context& context, const Books& books, const RunTimes& times);

}  // namespace headrace::curate
