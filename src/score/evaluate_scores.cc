// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <vector>

#include "headrace/evaluate.h"

#include "base/counter_rng.h"
#include "base/error.h"
#include "score/evaluate.h"

namespace headrace {
namespace {

constexpr int kSamples = 1000;

// The middle 95 % of the average precision of samples drawn with replacement; those without both
// kinds are left out.
ScoreInterval average_precision_interval(std::span<const double> scores,
                                         std::span<const bool> wanted, std::uint64_t seed) {
  std::vector<double> found;
  std::vector<double> drawn(scores.size());
  const auto drawn_wanted = std::make_unique<bool[]>(scores.size());
  for (int sample = 0; sample < kSamples; ++sample) {
    const CounterRng rng(seed, purpose("average_precision_bootstrap"),
                         static_cast<std::uint64_t>(sample));
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::uint64_t document = rng.below(i, scores.size());
      drawn[i] = scores[document];
      drawn_wanted[i] = wanted[document];
    }
    const auto made = score::evaluate(drawn, {drawn_wanted.get(), scores.size()});
    if (made) found.push_back(made->average_precision);
  }
  if (found.empty()) return {};
  std::sort(found.begin(), found.end());
  const auto at = [&](double share) {
    return found[static_cast<std::size_t>(share * static_cast<double>(found.size() - 1) + 0.5)];
  };
  return {at(0.025), at(0.975)};
}

}  // namespace

Result<ScoreEvaluation> evaluate_scores(std::span<const double> scores,
                                        std::span<const bool> wanted,
                                        std::span<const double> recalls, std::uint64_t seed) {
  HEADRACE_ASSIGN_OR_RETURN(const score::Evaluation whole, score::evaluate(scores, wanted));
  HEADRACE_ASSIGN_OR_RETURN(const score::Bootstrap sampled,
                            score::bootstrap_best_f1(scores, wanted, seed, kSamples));
  const score::CurvePoint best = *score::best_f1(whole);  // a valid score is there
  ScoreEvaluation made;
  made.positives = whole.positives;
  made.negatives = whole.negatives;
  made.invalid = whole.invalid;
  made.average_precision = whole.average_precision;
  made.average_precision_interval = average_precision_interval(scores, wanted, seed);
  made.best_f1 = {.threshold = best.threshold,
                  .threshold_interval = {sampled.threshold.low, sampled.threshold.high},
                  .precision = best.precision,
                  .recall = best.recall,
                  .f1 = best.f1,
                  .f1_interval = {sampled.f1.low, sampled.f1.high}};
  for (const double recall : recalls) {
    const auto point = score::precision_at_recall(whole, recall);
    if (!point) continue;
    made.precision_at_recall.push_back(
        {.recall = recall, .precision = point->precision, .threshold = point->threshold});
  }
  return made;
}

}  // namespace headrace
