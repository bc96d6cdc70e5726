// SPDX-License-Identifier: Apache-2.0
// Models that score texts: what is known of one, and how well it finds what people labelled.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// The middle 95 % of a bootstrap over the labelled documents.
struct ScoreInterval {
  double low = 0;
  double high = 0;
};

// A document is kept when its score is at least the threshold.
struct ScoreEvaluation {
  std::vector<std::string> files;  // the labelled data
  std::uint64_t positives = 0;
  std::uint64_t negatives = 0;
  std::uint64_t invalid = 0;  // of both: the model gave no number; kept by no threshold

  double average_precision = 0;
  ScoreInterval average_precision_interval;

  struct BestF1 {
    double threshold = 0;
    ScoreInterval threshold_interval;
    double precision = 0;
    double recall = 0;
    double f1 = 0;
    ScoreInterval f1_interval;  // at this threshold
  };
  BestF1 best_f1;

  struct AtRecall {
    double recall = 0;  // the wanted one
    double precision = 0;
    double threshold = 0;
  };
  std::vector<AtRecall> precision_at_recall;  // of the wanted recalls that some threshold reaches
};

// What is known of a model, beside it in NAME.card.json: docs/formats/model_card.md.
struct ModelCard {
  static constexpr int kVersion = 1;  // readers refuse newer ones

  std::string kind;      // "fasttext": which scorer takes the model
  std::string model;     // file name
  std::string xxh3_128;  // of the model's bytes; "": unknown
  std::string positive;  // the label whose probability is the score; "": the kind has no labels
  std::vector<std::string> labels;
  std::string made_by;  // "headrace 0.1.0"
  // Options and data, a JSON object as text, for each trainer its own; "": unknown.
  std::string training;
  std::optional<ScoreEvaluation> evaluation;
  // Keys that this version does not know, a JSON object as text; "": none. They stay in the card.
  std::string unknown;
};

}  // namespace headrace
