// SPDX-License-Identifier: Apache-2.0
// The evaluation in a model card: checked key by key, since a threshold comes from it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/json_fault.h"
#include "score/internal/card_keys.h"
#include "score/score.h"

namespace headrace {
namespace score {
namespace internal {
namespace {

// The library copies and prints by recursion, so nothing deeper than this is parsed: a text of
// brackets would end the stack.
constexpr int kMostLevels = 32;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A threshold that no score can have would drop, or keep, every document.
void check_range(Keys& keys, const ScoreEvaluation& made, std::string_view kind) {
  const ScorerInfo* const info = registry().find(kind);
  const ScoreRange range = info != nullptr ? info->range : ScoreRange{-kInfinity, kInfinity};
  const ScoreEvaluation::Histogram& bins = made.histogram;
  const bool has_bins = !bins.positives.empty();
  const double low = has_bins ? std::max(range.least, bins.low) : range.least;
  const double high = has_bins ? std::min(range.most, bins.high) : range.most;
  const auto is_score = [&](double value) { return value >= low && value <= high; };
  const std::string what = fmt::format("no score of the kind {}{}: they go from {} to {}", kind,
                                       has_bins ? " with this histogram" : "", low, high);
  keys.object("best_f1", true, [&](Keys& best) {
    const ScoreInterval& interval = made.best_f1.threshold_interval;
    best.require(is_score(made.best_f1.threshold), "threshold",
                 fmt::format("{} is {}", made.best_f1.threshold, what));
    best.require(is_score(interval.low) && is_score(interval.high), "threshold_interval",
                 fmt::format("[{}, {}] holds what is {}", interval.low, interval.high, what));
  });
  for (const auto& at : made.precision_at_recall) {
    keys.require(is_score(at.threshold), "precision_at_recall",
                 fmt::format("the threshold {} is {}", at.threshold, what));
  }
  for (const auto& point : made.curve) {
    keys.require(is_score(point.threshold), "curve",
                 fmt::format("the threshold {} is {}", point.threshold, what));
  }
}

Json to_json(const ScoreInterval& interval) { return {interval.low, interval.high}; }

}  // namespace

Result<Json> parse_card_json(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) return corrupt("the card is empty");
  bool too_deep = false;
  const auto keep = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kMostLevels;
    return depth <= kMostLevels;
  };
  try {
    Json json = Json::parse(text, keep);
    if (!too_deep) return json;
    return corrupt("brackets inside each other, more than {} deep", kMostLevels);
  } catch (const nlohmann::json::exception& error) {
    return corrupt("not JSON: {}", json_fault(error, text));
  }
}

ScoreEvaluation read_evaluation(Keys& keys, std::string_view kind) {
  ScoreEvaluation made;
  made.low_is_better = keys.flag("low_is_better");
  keys.object("data", true, [&](Keys& data) {
    made.files = data.texts("files", true);
    made.positives = data.count("positives");
    made.negatives = data.count("negatives");
    made.invalid = data.count("invalid");
  });
  made.average_precision = keys.share("average_precision");
  made.average_precision_interval = keys.interval("average_precision_interval");
  keys.object("best_f1", true, [&](Keys& best) {
    made.best_f1 = {.threshold = best.number("threshold"),
                    .threshold_interval = best.interval("threshold_interval"),
                    .precision = best.share("precision"),
                    .recall = best.share("recall"),
                    .f1 = best.share("f1"),
                    .f1_interval = best.interval("f1_interval")};
  });
  keys.objects("precision_at_recall", true, [&](Keys& at) {
    made.precision_at_recall.push_back({.recall = at.share("recall"),
                                        .precision = at.share("precision"),
                                        .threshold = at.number("threshold")});
  });
  keys.objects("curve", false, [&](Keys& point) {
    made.curve.push_back({.threshold = point.number("threshold"),
                          .precision = point.share("precision"),
                          .recall = point.share("recall")});
  });
  keys.object("histogram", false, [&](Keys& bins) {
    made.histogram = {.low = bins.number("low"),
                      .high = bins.number("high"),
                      .positives = bins.counts("positives"),
                      .negatives = bins.counts("negatives")};
    bins.require(made.histogram.low < made.histogram.high &&
                     made.histogram.positives.size() == made.histogram.negatives.size(),
                 "low", "bins of both kinds from low to a higher high are needed");
  });
  check_range(keys, made, kind);
  return made;
}

Json to_json(const ScoreEvaluation& made) {
  const ScoreEvaluation::BestF1& best = made.best_f1;
  Json at_recall = Json::array();
  for (const auto& at : made.precision_at_recall) {
    at_recall.push_back(
        {{"recall", at.recall}, {"precision", at.precision}, {"threshold", at.threshold}});
  }
  Json json = {{"data",
                {{"files", made.files},
                 {"positives", made.positives},
                 {"negatives", made.negatives},
                 {"invalid", made.invalid}}},
               {"low_is_better", made.low_is_better},
               {"average_precision", made.average_precision},
               {"average_precision_interval", to_json(made.average_precision_interval)},
               {"best_f1",
                {{"threshold", best.threshold},
                 {"threshold_interval", to_json(best.threshold_interval)},
                 {"precision", best.precision},
                 {"recall", best.recall},
                 {"f1", best.f1},
                 {"f1_interval", to_json(best.f1_interval)}}},
               {"precision_at_recall", at_recall}};
  if (!made.curve.empty()) {
    Json& curve = json["curve"] = Json::array();
    for (const auto& point : made.curve) {
      curve.push_back({{"threshold", point.threshold},
                       {"precision", point.precision},
                       {"recall", point.recall}});
    }
  }
  if (const auto& bins = made.histogram; !bins.positives.empty()) {
    json["histogram"] = {{"low", bins.low},
                         {"high", bins.high},
                         {"positives", bins.positives},
                         {"negatives", bins.negatives}};
  }
  return json;
}

}  // namespace internal
}  // namespace score

std::string evaluation_json(const ScoreEvaluation& evaluation) {
  return score::internal::to_json(evaluation)
      .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace headrace
