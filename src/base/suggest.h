// SPDX-License-Identifier: Apache-2.0
// "unknown option 'min_maen'; did you mean 'min_mean'?"
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headrace {

// The candidate nearest to `word` by edit distance with transpositions, if near enough to be a slip
// of the fingers (at most a third of its letters); else "".
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'x'?" or, when nothing is near, "; known: a, b, c".
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace headrace
