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
  double report = 0;     // the last of them
  bool whole = false;    // nothing had been done before
};

// What the files of a sample's run say of the run on everything; `seconds` stays empty. All passes
// but the report are finished.
Result<Projection> project(const Context& context, const Books& books);

// Nothing where a part of the sample had been done before.
std::optional<Estimate> project_seconds(const Context& context, const Projection& projection,
                                        const RunTimes& times);

}  // namespace headrace::curate
