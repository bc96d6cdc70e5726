// SPDX-License-Identifier: Apache-2.0
// The books of a run from the commits of its finished stages.
#pragma once

#include "headrace/run.h"

#include "curate/context.h"

namespace headrace::curate {

// Books of the stages that are finished: read, judge, dedup, tokenize, mix. Balanced means: every
// stage takes in what the one before gave out, and in = out + dropped + quarantined, for every
// file, domain and the whole; the counts come from different passes over different files, so a lost
// row shows.
Result<Books> make_books(const Context& context);

}  // namespace headrace::curate
