// SPDX-License-Identifier: Apache-2.0
// Models that score texts: training one from labelled texts, measuring how well it finds what
// people labelled, and scoring files with it. Scores of a run are made by its recipe (run.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// The middle 95 % of a bootstrap over the labelled documents.
struct ScoreInterval {
  double low = 0;
  double high = 0;
};

// A document is kept when its score is at least the threshold, or at most, where low is better.
struct ScoreEvaluation {
  std::vector<std::string> files;  // the labelled data
  bool low_is_better = false;
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

  // For pictures: about 200 points at most, the strictest threshold first, those of the numbers
  // above among them; and counts in bins that are equal over [low, high]. Empty in cards made
  // elsewhere.
  struct Point {
    double threshold = 0;
    double precision = 0;
    double recall = 0;
  };
  std::vector<Point> curve;
  struct Histogram {
    double low = 0;
    double high = 1;
    std::vector<std::uint64_t> positives;
    std::vector<std::uint64_t> negatives;
  };
  Histogram histogram;
};

// All that a card and a report say of scores; `files` stays empty. `wanted[i]`: is document i one
// to keep. `recalls`: those whose precision is asked for; the ones that no threshold reaches are
// left out. The same seed gives the same intervals. invalid_argument: lengths differ, none or all
// are wanted, no score is valid.
Result<ScoreEvaluation> evaluate_scores(std::span<const double> scores,
                                        std::span<const bool> wanted,
                                        std::span<const double> recalls, std::uint64_t seed,
                                        bool low_is_better = false);

// The object `evaluation` of a model card, as JSON text.
std::string evaluation_json(const ScoreEvaluation& evaluation);

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

// Texts and what people said of them: files of any format with a text and a label field, or labels
// of the audit page (docs/formats/labels.md), of which the last line of a document counts. Records
// without a label are left out.
struct LabelledData {
  std::vector<std::string> files;  // paths, globs or URIs
  std::string text = "text";       // where the text stands in a record, a dotted path
  std::string label = "label";     // strings, numbers, true or false
  std::string run;                 // texts come from this run, by `id`; "" = from the files
};

struct LabelledCounts {
  std::uint64_t documents = 0;  // with a label
  std::map<std::string, std::uint64_t> by_label;
  std::uint64_t unlabelled = 0;  // null or no label
  std::uint64_t replaced = 0;    // audit labels that a later line of the document replaces
  std::uint64_t rejected = 0;    // records that are no documents
  std::uint64_t unmatched = 0;   // ids that the run or the scores do not have
};

// What a kind of model is called, and what it can be told.
struct ScoreKind {
  struct Option {
    std::string name;
    std::string default_value;  // "" = none
    std::vector<std::string> allowed;
    std::string summary;
  };
  std::string name;
  std::string summary;
  std::vector<Option> options;
  std::string trained_by;  // a command outside of this program; of score_trainers() only
};
std::vector<ScoreKind> score_kinds();     // that score
std::vector<ScoreKind> score_trainers();  // that can be trained

struct ScoreTrainOptions {
  // Affects results.
  std::string kind = "fasttext";
  LabelledData data;     // of a kind without labels (perplexity): texts of files
  std::string positive;  // "" = "1", where labels are 0 and 1
  std::string output;    // the model file; "" = quality.bin and the like
  std::map<std::string, std::string> options;  // of the kind
  // A share of the texts, 0 to 1, that are held out to measure the model, or a file of such data.
  // Which texts are held out follows from `seed` and the texts alone, and equal texts stay
  // together. Texts that the file holds as well are left out of the training. 0: no evaluation.
  std::string validation = "0.2";
  std::uint64_t seed = 1;
  std::vector<double> recalls = {0.5, 0.8, 0.9, 0.95, 0.99};

  // Speed only.
  std::size_t threads = 0;  // of the evaluation; 0 = all CPUs
  bool show_progress = false;
  std::stop_token stop;
};

struct ScoreTrainResult {
  std::string model;
  std::string card_path;
  ModelCard card;
  LabelledCounts data;
  LabelledCounts validation;  // of a file of such data; nothing for a share
  std::uint64_t trained = 0;  // texts
  std::uint64_t held_out = 0;
  std::uint64_t leaked = 0;  // texts left out because the validation file holds them
  // Of a kind without labels, on the texts held out: perplexity: `perplexity` of all tokens, and
  // `document_p50`, `document_p90`, `document_p99` of one text. Empty: none had a number.
  std::map<std::string, double> measured;
};

Result<ScoreTrainResult> train_score(const ScoreTrainOptions& options);

struct ScoreEvalOptions {
  // What gave the scores: a model, which scores the texts now ...
  std::string model;
  std::string kind;                            // "" = as the card says, else by the file
  std::map<std::string, std::string> options;  // of the kind
  // ... or a run that has them ...
  std::string run;
  std::string name;  // of the score
  // ... or a Parquet file.
  std::string scores;
  std::string id_column = "id";        // strings or whole numbers
  std::string score_column = "value";  // numbers of any type; null and NaN: the model gave none

  LabelledData data;     // by `id` for a run and for a file; no files = the audit labels of the run
  std::string positive;  // "" = as the card says, else "1", where labels are 0 and 1
  // Documents with low scores are the ones to keep. Of a kind where that is so (perplexity) it need
  // not be said.
  bool low_is_better = false;
  std::vector<double> recalls = {0.5, 0.8, 0.9, 0.95, 0.99};
  std::uint64_t seed = 1;  // of the bootstrap
  bool write_card = true;  // of a model
  std::string report;      // where write_score_report() will write: refused if it is read here

  std::size_t threads = 0;  // speed only, as:
  bool show_progress = false;
  std::stop_token stop;
};

struct ScoreEvalResult {
  std::string name;  // of the model's file, or of the score
  std::string kind;  // "" = unknown
  std::string positive;
  ScoreEvaluation evaluation;
  LabelledCounts data;
  std::uint64_t unscored = 0;  // labelled documents of the run that no rule let through to scoring
  std::string card_path;       // the card that was written; "" = none
};

Result<ScoreEvalResult> evaluate_score(const ScoreEvalOptions& options);

// One self-contained page: curve, threshold, scores by class. The same evaluation gives the same
// bytes.
std::string score_report_html(const std::string& name, const std::string& kind,
                              const std::string& positive, const ScoreEvaluation& evaluation);
// The same, written to a file at once.
Result<void> write_score_report(const std::string& path, const std::string& name,
                                const std::string& kind, const std::string& positive,
                                const ScoreEvaluation& evaluation);

struct ScoredDocument {
  std::string id;     // "0:48213": file and place, or the field that was asked for
  double value = 0;   // NaN = the model gave no number
  std::string label;  // "" = the kind gives none
};

struct ScoreApplyOptions {
  std::string model;
  std::string kind;                            // as in ScoreEvalOptions
  std::map<std::string, std::string> options;  // of the kind
  std::vector<std::string> files;              // paths, globs or URIs
  std::string text = "text";
  std::string id;  // field that the ids are taken from; "" = file and place, as in a run
  // Parquet: `id` (uint64 as in a run, or string with a field of ids), `value` double, `label`
  // string, null where there is none. "" = to `sink`.
  std::string output;
  std::function<Result<void>(const ScoredDocument&)> sink;  // called in the order of the documents

  std::size_t threads = 0;
  bool show_progress = false;
  std::stop_token stop;
};

struct ScoreApplyResult {
  std::uint64_t documents = 0;
  std::uint64_t invalid = 0;   // without a number
  std::uint64_t rejected = 0;  // records that are no documents
  double seconds = 0;
};

Result<ScoreApplyResult> apply_score(const ScoreApplyOptions& options);

}  // namespace headrace
