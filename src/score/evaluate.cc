// SPDX-License-Identifier: Apache-2.0
// One sort, then sweeps: each document has a weight (1, or how often a bootstrap sample drew it),
// and the curve is read off sums of weights from the highest score down. A sample costs a pass, not
// a sort.
#include "score/evaluate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/counter_rng.h"
#include "base/error.h"

namespace headrace::score {
namespace {

struct Ranked {
  std::vector<std::uint32_t> order;  // documents with a valid score, the highest first
  std::uint64_t invalid = 0;
};

Ranked rank(std::span<const double> scores) {
  Ranked ranked;
  for (std::uint32_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores[i])) {
      ++ranked.invalid;
    } else {
      ranked.order.push_back(i);
    }
  }
  std::sort(ranked.order.begin(), ranked.order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return scores[a] != scores[b] ? scores[a] > scores[b] : a < b;
  });
  return ranked;
}

// visit(point) for each distinct score, descending. weights[i] of document i.
template <class Weights, class Visit>
void sweep(std::span<const double> scores, std::span<const bool> wanted, const Ranked& ranked,
           const Weights& weights, double positives, Visit visit) {
  double kept = 0;
  double right = 0;
  for (std::size_t at = 0; at < ranked.order.size();) {
    const double threshold = scores[ranked.order[at]];
    for (; at < ranked.order.size() && scores[ranked.order[at]] == threshold; ++at) {
      const std::uint32_t i = ranked.order[at];
      const double weight = weights[i];
      kept += weight;
      right += wanted[i] ? weight : 0;
    }
    if (kept == 0) continue;
    visit(CurvePoint{.threshold = threshold,
                     .precision = right / kept,
                     .recall = right / positives,
                     .f1 = 2 * right / (kept + positives)});
  }
}

Result<void> check(std::span<const double> scores, std::span<const bool> wanted) {
  if (scores.size() != wanted.size()) {
    return invalid_argument("evaluating: {} scores for {} labels", scores.size(), wanted.size());
  }
  const auto positives = std::count(wanted.begin(), wanted.end(), true);
  if (positives == 0 || positives == static_cast<std::ptrdiff_t>(wanted.size())) {
    return invalid_argument("evaluating: {} of {} documents are wanted; both kinds are needed",
                            positives, wanted.size());
  }
  return {};
}

void keep_better(const CurvePoint& point, std::optional<CurvePoint>* best) {
  if (!best->has_value() || point.f1 > (*best)->f1) *best = point;
}

// Linear between the two nearest; `values` sorted and not empty.
double quantile(const std::vector<double>& values, double share) {
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - static_cast<double>(low));
}

Interval middle(std::vector<double> values, double confidence) {
  std::sort(values.begin(), values.end());
  const double tail = (1 - confidence) / 2;
  return {quantile(values, tail), quantile(values, 1 - tail)};
}

}  // namespace

Result<Evaluation> evaluate(std::span<const double> scores, std::span<const bool> wanted) {
  HEADRACE_RETURN_IF_ERROR(check(scores, wanted));
  const Ranked ranked = rank(scores);
  Evaluation made;
  made.positives = static_cast<std::uint64_t>(std::count(wanted.begin(), wanted.end(), true));
  made.negatives = wanted.size() - made.positives;
  made.invalid = ranked.invalid;
  double recall = 0;
  const std::vector<double> once(scores.size(), 1.0);
  sweep(scores, wanted, ranked, once, static_cast<double>(made.positives),
        [&](const CurvePoint& point) {
          made.average_precision += (point.recall - recall) * point.precision;
          recall = point.recall;
          made.curve.push_back(point);
        });
  return made;
}

std::optional<CurvePoint> best_f1(const Evaluation& evaluation) {
  std::optional<CurvePoint> best;
  for (const CurvePoint& point : evaluation.curve) keep_better(point, &best);
  return best;
}

std::optional<CurvePoint> precision_at_recall(const Evaluation& evaluation, double recall) {
  std::optional<CurvePoint> best;
  for (const CurvePoint& point : evaluation.curve) {
    if (point.recall < recall) continue;
    if (!best || point.precision > best->precision) best = point;
  }
  return best;
}

Result<Bootstrap> bootstrap_best_f1(std::span<const double> scores, std::span<const bool> wanted,
                                    std::uint64_t seed, int samples, double confidence) {
  HEADRACE_ASSIGN_OR_RETURN(const Evaluation whole, evaluate(scores, wanted));
  const auto chosen = best_f1(whole);
  if (!chosen) return invalid_argument("evaluating: none of {} scores is valid", scores.size());
  if (samples < 1 || !(confidence > 0 && confidence < 1)) {
    return invalid_argument("a bootstrap of {} samples with confidence {}", samples, confidence);
  }
  const Ranked ranked = rank(scores);
  std::vector<double> thresholds;
  std::vector<double> f1s;
  std::vector<double> drawn(scores.size());
  for (int sample = 0; sample < samples; ++sample) {
    const CounterRng rng(seed, purpose("score_bootstrap"), static_cast<std::uint64_t>(sample));
    std::fill(drawn.begin(), drawn.end(), 0.0);
    double positives = 0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const std::uint64_t document = rng.below(i, scores.size());
      drawn[document] += 1;
      positives += wanted[document] ? 1 : 0;
    }
    if (positives == 0) continue;
    std::optional<CurvePoint> best;
    double at_chosen = 0;
    sweep(scores, wanted, ranked, drawn, positives, [&](const CurvePoint& point) {
      keep_better(point, &best);
      if (point.threshold >= chosen->threshold) at_chosen = point.f1;
    });
    if (best) thresholds.push_back(best->threshold);
    f1s.push_back(at_chosen);
  }
  if (thresholds.empty()) {
    return invalid_argument(
        "a bootstrap of {} documents: no sample holds a valid score and a "
        "wanted document",
        scores.size());
  }
  return Bootstrap{.threshold = middle(thresholds, confidence), .f1 = middle(f1s, confidence)};
}

}  // namespace headrace::score
