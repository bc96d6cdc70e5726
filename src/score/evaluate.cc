// SPDX-License-Identifier: Apache-2.0
// One sort, then sweeps: each document has a weight (1, or how often a bootstrap sample drew it),
// and the curve is read off sums of weights from the highest score down. A sample costs a pass, not
// a sort.
#include "score/evaluate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>

#include "base/counter_rng.h"
#include "base/error.h"

namespace headrace {
namespace score {
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

ScoreInterval middle(std::vector<double> values, double confidence) {
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

Result<Bootstrap> bootstrap(std::span<const double> scores, std::span<const bool> wanted,
                            std::uint64_t seed, int samples, double confidence) {
  HEADRACE_ASSIGN_OR_RETURN(const Evaluation whole, evaluate(scores, wanted));
  const auto chosen = best_f1(whole);
  if (!chosen) return invalid_argument("evaluating: none of {} scores is a number", scores.size());
  if (samples < 1 || !(confidence > 0 && confidence < 1)) {
    return invalid_argument("a bootstrap of {} samples with confidence {}", samples, confidence);
  }
  const Ranked ranked = rank(scores);
  std::vector<double> thresholds;
  std::vector<double> f1s;
  std::vector<double> precisions;
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
    double precision = 0;
    double recall = 0;
    sweep(scores, wanted, ranked, drawn, positives, [&](const CurvePoint& point) {
      keep_better(point, &best);
      if (point.threshold >= chosen->threshold) at_chosen = point.f1;
      precision += (point.recall - recall) * point.precision;
      recall = point.recall;
    });
    if (best) thresholds.push_back(best->threshold);
    f1s.push_back(at_chosen);
    precisions.push_back(precision);
  }
  if (thresholds.empty()) {
    return invalid_argument(
        "a bootstrap of {} documents: no sample holds a valid score and a "
        "wanted document",
        scores.size());
  }
  return Bootstrap{.threshold = middle(thresholds, confidence),
                   .f1 = middle(f1s, confidence),
                   .average_precision = middle(precisions, confidence)};
}

namespace {

// A curve of few points that looks like the whole one: of each hundredth of recall the highest and
// the lowest precision, and the points that the summary speaks of.
std::vector<ScoreEvaluation::Point> thinned(const std::vector<CurvePoint>& curve,
                                            const std::set<double>& kept_thresholds) {
  std::vector<ScoreEvaluation::Point> points;
  for (std::size_t begin = 0; begin < curve.size();) {
    const auto cell = [&](std::size_t i) { return std::floor(curve[i].recall * 100); };
    std::size_t high = begin;
    std::size_t low = begin;
    std::size_t end = begin;
    for (; end < curve.size() && cell(end) == cell(begin); ++end) {
      if (curve[end].precision > curve[high].precision) high = end;
      if (curve[end].precision < curve[low].precision) low = end;
    }
    for (std::size_t i = begin; i < end; ++i) {
      if (i == high || i == low || kept_thresholds.contains(curve[i].threshold))
        points.push_back({curve[i].threshold, curve[i].precision, curve[i].recall});
    }
    begin = end;
  }
  return points;
}

ScoreEvaluation::Histogram histogram(std::span<const double> scores, std::span<const bool> wanted) {
  constexpr std::size_t kBins = 40;
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (const double score : scores) {
    if (!std::isfinite(score)) continue;
    low = std::min(low, score);
    high = std::max(high, score);
  }
  if (low > high) return {};
  if (low >= 0 && high <= 1) {  // a probability
    low = 0;
    high = 1;
  }
  if (!(low < high)) high = low + 1;
  ScoreEvaluation::Histogram made{.low = low,
                                  .high = high,
                                  .positives = std::vector<std::uint64_t>(kBins),
                                  .negatives = std::vector<std::uint64_t>(kBins)};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (std::isnan(scores[i])) continue;
    const double place = std::clamp((scores[i] - low) / (high - low), 0.0, 1.0);
    const auto bin = std::min(static_cast<std::size_t>(place * kBins), kBins - 1);
    ++(wanted[i] ? made.positives : made.negatives)[bin];
  }
  return made;
}

// What was said of negated scores, said of the scores.
void mirror(ScoreEvaluation* made) {
  const auto mirror_interval = [](ScoreInterval* interval) {
    *interval = {-interval->high, -interval->low};
  };
  made->low_is_better = true;
  made->best_f1.threshold = -made->best_f1.threshold;
  mirror_interval(&made->best_f1.threshold_interval);
  for (ScoreEvaluation::AtRecall& at : made->precision_at_recall) at.threshold = -at.threshold;
  for (ScoreEvaluation::Point& point : made->curve) point.threshold = -point.threshold;
}

}  // namespace

}  // namespace score

Result<ScoreEvaluation> evaluate_scores(std::span<const double> scores,
                                        std::span<const bool> wanted,
                                        std::span<const double> recalls, std::uint64_t seed,
                                        bool low_is_better) {
  if (low_is_better) {
    std::vector<double> mirrored(scores.size());
    std::transform(scores.begin(), scores.end(), mirrored.begin(), std::negate<>());
    HEADRACE_ASSIGN_OR_RETURN(ScoreEvaluation made,
                              evaluate_scores(mirrored, wanted, recalls, seed));
    score::mirror(&made);
    made.histogram = score::histogram(scores, wanted);
    return made;
  }
  HEADRACE_ASSIGN_OR_RETURN(const score::Evaluation whole, score::evaluate(scores, wanted));
  HEADRACE_ASSIGN_OR_RETURN(const score::Bootstrap intervals,
                            score::bootstrap(scores, wanted, seed));
  const score::CurvePoint best = *score::best_f1(whole);
  ScoreEvaluation made;
  made.positives = whole.positives;
  made.negatives = whole.negatives;
  made.invalid = whole.invalid;
  made.average_precision = std::min(whole.average_precision, 1.0);
  made.average_precision_interval = intervals.average_precision;
  made.best_f1 = {.threshold = best.threshold,
                  .threshold_interval = intervals.threshold,
                  .precision = best.precision,
                  .recall = best.recall,
                  .f1 = best.f1,
                  .f1_interval = intervals.f1};
  std::set<double> spoken_of = {best.threshold};
  for (const double recall : recalls) {
    const auto at = score::precision_at_recall(whole, recall);
    if (!at) continue;
    made.precision_at_recall.push_back(
        {.recall = recall, .precision = at->precision, .threshold = at->threshold});
    spoken_of.insert(at->threshold);
  }
  made.curve = score::thinned(whole.curve, spoken_of);
  made.histogram = score::histogram(scores, wanted);
  return made;
}

}  // namespace headrace
