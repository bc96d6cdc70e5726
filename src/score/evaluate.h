// SPDX-License-Identifier: Apache-2.0
// How well a score finds what people labelled: where to draw the line, and what it costs. Pure
// functions of labels and scores; a document is kept when its score is at least the threshold.
//
// A score that is not a number is invalid: counted, kept by no threshold, so an invalid positive is
// a positive that is missed. Recall is of all positives.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "headrace/result.h"
#include "headrace/score.h"

namespace headrace::score {

struct CurvePoint {
  double threshold = 0;
  double precision = 0;
  double recall = 0;
  double f1 = 0;
};

struct Evaluation {
  std::uint64_t positives = 0;
  std::uint64_t negatives = 0;
  std::uint64_t invalid = 0;      // of both
  std::vector<CurvePoint> curve;  // one per distinct score, thresholds descending
  // Sum over the curve of precision times the recall gained; no interpolation. 0 without a curve.
  double average_precision = 0;
};

// `wanted[i]`: is document i one to keep. invalid_argument when the lengths differ or when there
// are no positives or no negatives.
Result<Evaluation> evaluate(std::span<const double> scores, std::span<const bool> wanted);

// The point of the highest F1; of equal ones that of the highest threshold. Nothing when no score
// is valid.
std::optional<CurvePoint> best_f1(const Evaluation& evaluation);

// The point of the highest precision among those that reach a recall. Nothing when none does.
std::optional<CurvePoint> precision_at_recall(const Evaluation& evaluation, double recall);

struct Bootstrap {
  ScoreInterval threshold;  // of the highest F1 of each sample
  ScoreInterval f1;         // of each sample, at the threshold that is best for all documents
  ScoreInterval average_precision;
};

// Where they would lie had other documents been labelled: the middle `confidence` of `samples`
// samples drawn with replacement, of 2.5 % to 97.5 % for 0.95. The same seed gives the same
// intervals. Samples without a positive are left out. Errors of evaluate(), and invalid_argument
// when no score is valid.
Result<Bootstrap> bootstrap(std::span<const double> scores, std::span<const bool> wanted,
                            std::uint64_t seed, int samples = 1000, double confidence = 0.95);

}  // namespace headrace::score
