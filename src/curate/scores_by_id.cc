// SPDX-License-Identifier: Apache-2.0
#include "curate/scores_by_id.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/quote.h"
#include "curate/context.h"
#include "curate/given_ids.h"
#include "curate/part_rows.h"
#include "curate/score_reach.h"
#include "io/file.h"
#include "record/document.h"
#include "record/parquet_table.h"
#include "score/score.h"

namespace headrace::curate {
namespace {

std::string canonical(const std::string& id) {
  DocumentId parsed;
  return parse_document_id(id, &parsed) ? to_string(parsed) : id;
}

Status null_id(const std::string& path, std::size_t row) {
  return invalid_argument("{}: row {} has no id: every score needs the id of its document", path,
                          row);
}

}  // namespace

ScoresById::ScoresById(const std::vector<LabelledRow>& rows) {
  for (const LabelledRow& row : rows) found_.emplace(canonical(row.id), Entry{});
}

void ScoresById::put(const std::string& id, double value) {
  const auto at = found_.find(canonical(id));
  if (at != found_.end()) at->second = {score::finite_or_none(value), true, true};
}

void ScoresById::put(std::uint64_t id, double value, bool scored) {
  const auto at = found_.find(to_string(DocumentId{id}));
  if (at != found_.end()) at->second = {score::finite_or_none(value), true, scored};
}

std::vector<double> ScoresById::join(std::vector<LabelledRow>* rows,
                                     ScoreEvalResult* result) const {
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

Result<std::string> read_run_scores(const std::string& run, const std::string& name,
                                    ScoresById* scores) {
  HEADRACE_ASSIGN_OR_RETURN(const auto context, open_context(run));
  const std::vector<ScoreSpec>& specs = context->recipe.scores;
  const auto spec = std::find_if(specs.begin(), specs.end(),
                                 [&](const ScoreSpec& each) { return each.name == name; });
  const bool known = spec != specs.end();
  if (!io::exists(context->directory.at(scores_folder(name))) ||
      (known && !context->finished.contains(score_stage(name)))) {
    return not_found(
        "the run {} has no score '{}'{}: its recipe names scores under 'score', and 'headrace run' "
        "makes them",
        run, name, known ? " yet" : "");
  }
  std::optional<ScoreReach> reach;
  if (known) {
    HEADRACE_ASSIGN_OR_RETURN(
        reach, ScoreReach::make(*context, static_cast<std::size_t>(spec - specs.begin())));
  }
  for (std::size_t part = 0; part < part_count(*context); ++part) {
    HEADRACE_ASSIGN_OR_RETURN(
        const ScoredPart rows,
        reach ? reach->load(part) : ScoredPart::load(context->directory, name, part));
    for (std::size_t row = 0; row < rows.ids.size(); ++row)
      scores->put(rows.ids[row], rows.values[row], rows.scored[row] != 0);
  }
  return known ? spec->kind : std::string();
}

Result<void> read_score_file(const ScoreEvalOptions& options, ScoresById* scores) {
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
      if (ids[row].empty()) return null_id(options.scores, row);
      scores->put(ids[row], values[row]);
    }
    return {};
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<std::uint64_t> ids,
                            read_given_ids(*reader, options.scores, options.id_column));
  for (std::size_t row = 0; row < ids.size(); ++row) scores->put(ids[row], values[row]);
  return {};
}

}  // namespace headrace::curate
