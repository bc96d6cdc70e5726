// SPDX-License-Identifier: Apache-2.0
// How well scores find what people labelled: what a model card says of a model.
#pragma once

#include <cstdint>
#include <span>

#include "headrace/result.h"
#include "headrace/score.h"

namespace headrace {

// `wanted[i]`: is document i one to keep. A NaN is a score that the model did not give. `recalls`:
// those whose precision is asked for; the ones that no threshold reaches are left out. The same
// seed gives the same intervals. `files` of what is returned stays empty.
// invalid_argument: lengths differ, none or all are wanted, or no score is valid.
Result<ScoreEvaluation> evaluate_scores(std::span<const double> scores,
                                        std::span<const bool> wanted,
                                        std::span<const double> recalls, std::uint64_t seed);

}  // namespace headrace
