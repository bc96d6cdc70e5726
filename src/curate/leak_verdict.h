// SPDX-License-Identifier: Apache-2.0
// What the finds of the leak check mean under the recipe at hand.
#pragma once

#include <cstddef>
#include <vector>

#include "headrace/result.h"

#include "curate/context.h"
#include "curate/leak_files.h"
#include "curate/removed_spans.h"

namespace headrace::curate {

// Whether a hit may touch its document: enough of the item is there, and its set is not only
// reported.
bool counts(const LeakSpec& spec, const LeakHit& hit);

// How much of the item stands in the document, 0 to 1.
double share_of(const leak::Hit& hit);

// By row: the largest share of all hits that count; 0 where there is none, NaN where nobody looked.
std::vector<double> leak_column(const LeakSpec& spec, const LeakPart& rows);
Result<std::vector<double>> leak_column(const Context& context, std::size_t part);

// The ranges that `remove_span` takes from the texts of a part, in order; none for other verdicts.
Result<std::vector<RemovedSpan>> leak_spans(const Context& context, std::size_t part);

}  // namespace headrace::curate
