// SPDX-License-Identifier: Apache-2.0
// What was found in one document → the rows of spans/part-*.parquet.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "curate/removed_spans.h"

namespace headrace::curate {

// Puts the ranges of one document in order and makes them fit to be cut from `text`:
//   - duplicate stretches that continue each other, here and where they stand first, become one;
//   - a range of a duplicate inside of another one goes: of a line in a paragraph the paragraph
//     says it all;
//   - stretches end at whole characters (dedup/anchors.h); one of nothing else goes;
//   - when the end of the text goes with lines or paragraphs, so does the white space before it.
// When fewer than `min_rest` code points besides white space are left, a row kLittleLeft is added.
void settle_spans(std::string_view text, std::uint64_t min_rest, std::vector<RemovedSpan>* spans);

}  // namespace headrace::curate
