// SPDX-License-Identifier: Apache-2.0
#include "curate/score_files.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "io/file.h"
#include "record/parquet_table.h"
#include "score/score.h"

namespace headrace::curate {

std::string scores_folder(const std::string& name) { return "scores/" + name; }

std::string score_file(const std::string& name, std::size_t part) {
  return RunDirectory::part(scores_folder(name), part, "parquet");
}

ScoredPart ScoredPart::unscored(std::vector<std::uint64_t> ids) {
  ScoredPart part;
  part.scored.assign(ids.size(), 0);
  part.values.assign(ids.size(), std::numeric_limits<double>::quiet_NaN());
  part.label.assign(ids.size(), kNoLabel);
  part.ids = std::move(ids);
  return part;
}

Result<ScoredPart> ScoredPart::load(const RunDirectory& directory, const std::string& name,
                                    std::size_t part) {
  ScoredPart scores;
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(directory.at(score_file(name, part))));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &scores.ids));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("scored", &scores.scored));
  HEADRACE_RETURN_IF_ERROR(reader->read_double("value", &scores.values));
  HEADRACE_RETURN_IF_ERROR(reader->read_codes("label", &scores.labels, &scores.label));
  return scores;
}

Result<std::vector<bool>> ScoredPart::load_scored(const RunDirectory& directory,
                                                  const std::string& name, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(directory.at(score_file(name, part))));
  std::vector<std::uint32_t> scored;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("scored", &scored));
  return std::vector<bool>(scored.begin(), scored.end());
}

void ScoredPart::set(std::size_t row, double value, std::string_view text) {
  scored[row] = 1;
  values[row] = score::finite_or_none(value);
  auto found = std::find(labels.begin(), labels.end(), text);
  if (found == labels.end()) found = labels.insert(found, std::string(text));
  label[row] = static_cast<std::uint32_t>(found - labels.begin());
}

void ScoredPart::forget(std::size_t row) {
  scored[row] = 0;
  values[row] = std::numeric_limits<double>::quiet_NaN();
  label[row] = kNoLabel;
}

Result<void> ScoredPart::write(const RunDirectory& directory, const std::string& name,
                               std::size_t part) const {
  io::AtomicPath file(directory.at(score_file(name, part)));
  HEADRACE_ASSIGN_OR_RETURN(
      auto writer, ParquetWriter::create(file.temporary(), {{"id", ColumnType::kUint64},
                                                            {"scored", ColumnType::kUint32},
                                                            {"value", ColumnType::kDouble, true},
                                                            {"label", ColumnType::kString, true}}));
  for (std::size_t row = 0; row < ids.size(); ++row) {
    writer->append_uint64(0, ids[row]);
    writer->append_uint32(1, scored[row]);
    writer->append_double(2, values[row]);
    if (label[row] == kNoLabel) {
      writer->append_null(3);
    } else {
      writer->append_string(3, labels[label[row]]);
    }
    HEADRACE_RETURN_IF_ERROR(writer->end_row());
  }
  HEADRACE_RETURN_IF_ERROR(writer->close());
  return file.commit();
}

ScoreView view_of(const ScoredPart& scores, const ScoreSpec& spec, std::size_t row) {
  const double value = scores.values.at(row);
  return {spec.name, std::isnan(value) ? std::nullopt : std::optional(value),
          scores.labels.at(scores.label.at(row))};
}

}  // namespace headrace::curate
