// SPDX-License-Identifier: Apache-2.0
// headrace score eval: what people labelled, and scores of it: of a model now, of a run, of a file.
//
// Scores that exist are joined by id, in strings: a run's ids are numbers that people write as
// "0:48213", and other tools have names of their own.
#include <algorithm>
#include <limits>
#include <unordered_map>

#include "headrace/score.h"
#include "headrace/version.h"

#include "base/error.h"
#include "base/log.h"
#include "base/quote.h"
#include "curate/context.h"
#include "curate/labelled_texts.h"
#include "curate/part_rows.h"
#include "curate/passes.h"
#include "curate/scoring.h"
#include "io/file.h"
#include "record/parquet_table.h"
#include "report/score.h"
#include "score/evaluate.h"
#include "score/model_card.h"

namespace headrace {
namespace curate {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// Scores by id. Only of the ids that are asked for.
class Scores {
 public:
  explicit Scores(const std::vector<LabelledRow>& rows) {
    for (const LabelledRow& row : rows) found_.emplace(canonical(row.id), Entry{});
  }

  void put(const std::string& id, double value, bool scored = true) {
    const auto at = found_.find(id);
    if (at == found_.end()) return;
    at->second = {score::finite_or_none(value), true, scored};
  }
  void put(std::uint64_t id, double value, bool scored = true) {
    put(to_string(DocumentId{id}), value, scored);
  }

  // The values of the rows that have one, and these rows.
  std::vector<double> join(std::vector<LabelledRow>* rows, ScoreEvalResult* result) const {
    std::vector<double> values;
    std::vector<LabelledRow> kept;
    for (LabelledRow& row : *rows) {
      const Entry& entry = found_.at(canonical(row.id));
      if (!entry.there) {
        ++result->data.unmatched;
      } else if (!entry.scored) {
        ++result->unscored;
      } else {
        values.push_back(entry.value);
        kept.push_back(std::move(row));
      }
    }
    *rows = std::move(kept);
    return values;
  }

 private:
  struct Entry {
    double value = kNone;
    bool there = false;
    bool scored = false;
  };

  static std::string canonical(const std::string& id) {
    DocumentId parsed;
    return parse_document_id(id, &parsed) ? to_string(parsed) : id;
  }

  std::unordered_map<std::string, Entry> found_;
};

Result<void> read_run(const ScoreEvalOptions& options, Scores* scores) {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, open_context(options.run));
  const std::string folder = "scores/" + options.name;
  if (!io::exists(context->directory.at(folder))) {
    return not_found(
        "the run {} has no score '{}': its recipe names scores under 'score', and "
        "'headrace run' makes them",
        options.run, options.name);
  }
  for (std::size_t part = 0; part < part_count(*context); ++part) {
    const std::string path = context->directory.at(RunDirectory::part(folder, part, "parquet"));
    HEADRACE_ASSIGN_OR_RETURN(const auto reader, ParquetReader::open(path));
    std::vector<std::uint64_t> ids;
    std::vector<std::uint32_t> scored;
    std::vector<double> values;
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
    HEADRACE_RETURN_IF_ERROR(reader->read_uint32("scored", &scored));
    HEADRACE_RETURN_IF_ERROR(reader->read_double("value", &values));
    for (std::size_t row = 0; row < ids.size(); ++row)
      scores->put(ids[row], values[row], scored[row] != 0);
  }
  return {};
}

Result<void> read_file(const ScoreEvalOptions& options, Scores* scores) {
  HEADRACE_ASSIGN_OR_RETURN(const auto reader, ParquetReader::open(options.scores));
  const std::vector<ColumnInfo> columns = reader->columns();
  const auto id = std::find_if(columns.begin(), columns.end(), [&](const ColumnInfo& column) {
    return column.name == options.id_column;
  });
  if (id == columns.end()) {
    std::vector<std::string> names;
    for (const ColumnInfo& column : columns) names.push_back(column.name);
    return invalid_argument(
        "{} has no column '{}' of 64-bit integers or strings; it has {}: name the columns by --id "
        "and --score",
        options.scores, options.id_column, excerpts(names));
  }
  std::vector<double> values;
  if (auto read = reader->read_numbers(options.score_column, &values); !read)
    return read.error().with_context("scores, named by --score");
  if (id->type == ColumnType::kString) {
    std::vector<std::string> ids;
    for (int group = 0; group < reader->row_groups(); ++group)
      HEADRACE_RETURN_IF_ERROR(reader->read_strings(options.id_column, group, &ids));
    for (std::size_t row = 0; row < ids.size(); ++row) {
      DocumentId parsed;
      if (parse_document_id(ids[row], &parsed)) {
        scores->put(parsed.value, values[row]);
      } else {
        scores->put(ids[row], values[row]);
      }
    }
    return {};
  }
  std::vector<std::uint64_t> ids;
  if (id->type == ColumnType::kInt64) {
    std::vector<std::int64_t> numbers;
    HEADRACE_RETURN_IF_ERROR(reader->read_int64(options.id_column, &numbers));
    ids.assign(numbers.begin(), numbers.end());
  } else {
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64(options.id_column, &ids));
  }
  for (std::size_t row = 0; row < ids.size(); ++row) scores->put(ids[row], values[row]);
  return {};
}

// Fills result->evaluation from rows and their values.
Result<void> measure_rows(const ScoreEvalOptions& options, const LabelledRows& labelled,
                          const std::vector<double>& values, ScoreEvalResult* result) {
  const auto wanted = positives_of(labelled.rows, result->positive);
  HEADRACE_ASSIGN_OR_RETURN(
      result->evaluation,
      evaluate_scores(values, {wanted.get(), values.size()}, options.recalls, options.seed));
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
        "the card {} said {:.6g} for 'min: best_f1', it says {:.6g} from now on (--no-card leaves "
        "it)",
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
  Scores scores(labelled.rows);
  HEADRACE_RETURN_IF_ERROR(is_run ? read_run(options, &scores) : read_file(options, &scores));
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
