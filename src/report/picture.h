// SPDX-License-Identifier: Apache-2.0
// The picture of one measure. Private to this room.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"

namespace headrace::report {

using Series = Histogram::Series;

std::uint64_t values_of(const Series& series);

// The first strips as they are, the rest added up into one for each place of the recipe, without
// bounds: what the picture and the table below it show.
std::vector<Series> strips_of(const Histogram& histogram);

// Bars as outlines, or as their counts, which the page's script draws when somebody looks.
enum class Bars { kNow, kLater };
void append_picture(const Histogram& histogram, const std::vector<Series>& strips, Bars bars,
                    std::string* html);

// "0*12 3 5": counts with runs of one number as NUMBER*TIMES.
std::string run_lengths(const std::vector<std::uint64_t>& counts);

}  // namespace headrace::report
