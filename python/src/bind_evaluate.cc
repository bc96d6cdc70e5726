// SPDX-License-Identifier: Apache-2.0
// Mirrors headrace/score.h: the evaluation as a dict with the keys of a model card.
#include <algorithm>
#include <memory>
#include <vector>

#include <nanobind/stl/vector.h>

#include "headrace/score.h"

#include "bindings.h"

namespace headrace::python {
namespace {

nb::list to_list(const ScoreInterval& interval) {
  nb::list out;
  out.append(interval.low);
  out.append(interval.high);
  return out;
}

nb::dict to_dict(const ScoreEvaluation& made) {
  nb::dict data;
  data["positives"] = made.positives;
  data["negatives"] = made.negatives;
  data["invalid"] = made.invalid;
  nb::dict best;
  best["threshold"] = made.best_f1.threshold;
  best["threshold_interval"] = to_list(made.best_f1.threshold_interval);
  best["precision"] = made.best_f1.precision;
  best["recall"] = made.best_f1.recall;
  best["f1"] = made.best_f1.f1;
  best["f1_interval"] = to_list(made.best_f1.f1_interval);
  nb::list at_recall;
  for (const ScoreEvaluation::AtRecall& at : made.precision_at_recall) {
    nb::dict row;
    row["recall"] = at.recall;
    row["precision"] = at.precision;
    row["threshold"] = at.threshold;
    at_recall.append(row);
  }
  nb::dict out;
  out["data"] = data;
  out["average_precision"] = made.average_precision;
  out["average_precision_interval"] = to_list(made.average_precision_interval);
  out["best_f1"] = best;
  out["precision_at_recall"] = at_recall;
  nb::list curve;
  for (const ScoreEvaluation::Point& point : made.curve) {
    nb::dict row;
    row["threshold"] = point.threshold;
    row["precision"] = point.precision;
    row["recall"] = point.recall;
    curve.append(row);
  }
  out["curve"] = curve;
  nb::dict histogram;
  histogram["low"] = made.histogram.low;
  histogram["high"] = made.histogram.high;
  histogram["positives"] = made.histogram.positives;
  histogram["negatives"] = made.histogram.negatives;
  out["histogram"] = histogram;
  return out;
}

nb::dict evaluate(const std::vector<double>& scores, const std::vector<bool>& wanted,
                  const std::vector<double>& recalls, std::uint64_t seed) {
  const auto flags = std::make_unique<bool[]>(wanted.size());  // vector<bool> is no span
  std::copy(wanted.begin(), wanted.end(), flags.get());
  return to_dict(unwrap([&] {
    const nb::gil_scoped_release released;
    return evaluate_scores(scores, {flags.get(), wanted.size()}, recalls, seed);
  }()));
}

}  // namespace

void bind_evaluate(nb::module_& module) {
  using nb::literals::operator""_a;
  module.def("evaluate", &evaluate, "scores"_a, "wanted"_a, "recalls"_a, "seed"_a);
}

}  // namespace headrace::python
