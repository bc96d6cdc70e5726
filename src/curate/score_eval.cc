// SPDX-License-Identifier: Apache-2.0
// headrace score eval: what people labelled, and scores of it: of a model now, of a run, of a file.
#include <algorithm>

#include "headrace/score.h"
#include "headrace/version.h"

#include "base/error.h"
#include "base/log.h"
#include "curate/labelled_texts.h"
#include "curate/recipe_score.h"
#include "curate/scores_by_id.h"
#include "curate/scoring.h"
#include "io/file.h"
#include "report/score.h"
#include "score/evaluate.h"
#include "score/model_card.h"

namespace headrace {
namespace curate {
namespace {

// Fills result->evaluation from rows and their values; the kind says which end is good, unless it
// was asked for.
Result<void> measure_rows(const ScoreEvalOptions& options, const LabelledRows& labelled,
                          const std::vector<double>& values, ScoreEvalResult* result) {
  const auto wanted = positives_of(labelled.rows, result->positive);
  const bool low = options.low_is_better || score_range(result->kind).low_is_better;
  HEADRACE_ASSIGN_OR_RETURN(
      result->evaluation,
      evaluate_scores(values, {wanted.get(), values.size()}, options.recalls, options.seed, low));
  result->evaluation.files = labelled.files;
  return {};
}

Result<void> write_card(const ScoreEvalOptions& options, const OpenedModel& opened,
                        ScoreEvalResult* result) {
  ModelCard card = opened.card.value_or(ModelCard{});
  if (!opened.card) {
    card.kind = result->kind;
    for (const auto& [label, documents] : result->data.by_label) card.labels.push_back(label);
    card.made_by = fmt::format("headrace {}", version());
  }
  card.model = file_name(options.model);
  card.positive = result->positive;
  HEADRACE_ASSIGN_OR_RETURN(const Hash128 hash, io::hash_file(options.model));
  card.xxh3_128 = to_hex(hash);
  constexpr std::uint64_t kFew = 20;
  if (std::min(result->evaluation.positives, result->evaluation.negatives) < kFew) {
    log_warning(
        "{} wanted and {} other documents are few: another sample may well give another line",
        result->evaluation.positives, result->evaluation.negatives);
  }
  if (card.evaluation &&
      card.evaluation->best_f1.threshold != result->evaluation.best_f1.threshold) {
    log_warning(
        "the card {} said {:.6g} for 'best_f1', it says {:.6g} from now on (--no-card leaves it)",
        score::card_path(options.model), card.evaluation->best_f1.threshold,
        result->evaluation.best_f1.threshold);
  }
  card.evaluation = result->evaluation;
  HEADRACE_RETURN_IF_ERROR(score::write_card(card, options.model));
  result->card_path = score::card_path(options.model);
  return {};
}

// Without files: what people decided on the run's documents.
LabelledData labels_of(const LabelledData& data, const std::string& run) {
  LabelledData made = data;
  if (made.files.empty() && !run.empty()) made.files = {io::join(run, "audit/labels.jsonl")};
  return made;
}

Result<ScoreEvalResult> of_model(const ScoreEvalOptions& options) {
  ScoreEvalResult result;
  result.name = file_name(options.model);
  HEADRACE_ASSIGN_OR_RETURN(LabelledRows labelled,
                            read_labelled(labels_of(options.data, options.data.run), Join::kTexts,
                                          options.threads, options.stop));
  result.data = labelled.counts;
  std::string positive = options.positive;
  if (positive.empty()) {
    if (const auto card = score::read_card(options.model)) positive = card->positive;
  }
  HEADRACE_ASSIGN_OR_RETURN(result.positive, choose_positive(labelled.counts, positive));
  HEADRACE_ASSIGN_OR_RETURN(const OpenedModel opened, open_model(options.model, options.kind,
                                                                 options.options, result.positive));
  result.kind = opened.kind;
  if (!opened.scorer->labels().empty()) {
    return invalid_argument(
        "the kind {} gives each text the score of another label, so there is no "
        "line to draw",
        opened.kind);
  }
  std::vector<std::string_view> texts;
  for (const LabelledRow& row : labelled.rows) texts.push_back(row.text);
  Progress progress("evaluate", texts.size(), "documents",
                    options.show_progress ? detect_progress_mode() : ProgressMode::kOff);
  HEADRACE_ASSIGN_OR_RETURN(const auto values, score_texts(*opened.scorer, texts, options.threads,
                                                           options.stop, &progress));
  HEADRACE_RETURN_IF_ERROR(measure_rows(options, labelled, values, &result));
  if (options.write_card) HEADRACE_RETURN_IF_ERROR(write_card(options, opened, &result));
  return result;
}

Result<ScoreEvalResult> of_scores(const ScoreEvalOptions& options) {
  const bool is_run = !options.run.empty();
  ScoreEvalResult result;
  result.name = is_run ? options.name : file_name(options.scores);
  LabelledData data = labels_of(options.data, options.run);
  data.run.clear();
  HEADRACE_ASSIGN_OR_RETURN(LabelledRows labelled,
                            read_labelled(data, Join::kIds, options.threads, options.stop));
  result.data = labelled.counts;
  HEADRACE_ASSIGN_OR_RETURN(result.positive, choose_positive(labelled.counts, options.positive));
  ScoresById scores(labelled.rows);
  if (is_run) {
    HEADRACE_ASSIGN_OR_RETURN(result.kind, read_run_scores(options.run, options.name, &scores));
  } else {
    HEADRACE_RETURN_IF_ERROR(read_score_file(options, &scores));
  }
  const std::vector<double> values = scores.join(&labelled.rows, &result);
  if (values.empty()) {
    return invalid_argument(
        "none of the {} labelled documents has a score in {}: {} ids are not "
        "there, {} were not scored",
        result.data.documents, is_run ? options.run : options.scores, result.data.unmatched,
        result.unscored);
  }
  HEADRACE_RETURN_IF_ERROR(measure_rows(options, labelled, values, &result));
  return result;
}

Result<ScoreEvalResult> evaluate(const ScoreEvalOptions& options) {
  const int sources = !options.model.empty() + !options.run.empty() + !options.scores.empty();
  if (sources != 1) {
    return invalid_argument(
        "score eval needs one of a model (--model), a run with a score (RUN "
        "--name NAME) and a file of scores (--scores)");
  }
  if (!options.run.empty() && options.name.empty())
    return invalid_argument("which score of the run {}? Say it by --name", options.run);
  std::vector<std::string> read = options.data.files;
  read.insert(read.end(), {options.model, options.scores});
  HEADRACE_RETURN_IF_ERROR(check_output(options.report, read));
  if (!options.model.empty() && options.write_card)
    HEADRACE_RETURN_IF_ERROR(check_output(score::card_path(options.model), {}));
  for (const double recall : options.recalls) {
    if (!(recall > 0 && recall <= 1))
      return invalid_argument("recall {}: it goes from more than 0 to 1", recall);
  }
  return options.model.empty() ? of_scores(options) : of_model(options);
}

}  // namespace
}  // namespace curate

Result<ScoreEvalResult> evaluate_score(const ScoreEvalOptions& options) {
  return curate::evaluate(options);
}

std::string score_report_html(const std::string& name, const std::string& kind,
                              const std::string& positive, const ScoreEvaluation& evaluation) {
  return report::render_score({.name = name,
                               .kind = kind,
                               .positive = positive,
                               .version = std::string(version()),
                               .evaluation = evaluation});
}

Result<void> write_score_report(const std::string& path, const std::string& name,
                                const std::string& kind, const std::string& positive,
                                const ScoreEvaluation& evaluation) {
  return io::write_file_atomic(path, score_report_html(name, kind, positive, evaluation));
}

}  // namespace headrace
