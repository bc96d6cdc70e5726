// SPDX-License-Identifier: Apache-2.0
#include "curate/part_rows.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "curate/passes.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

Result<std::unique_ptr<ParquetReader>> open_part(const Context& context, const char* folder,
                                                 std::size_t part) {
  return ParquetReader::open(context.directory.at(RunDirectory::part(folder, part, "parquet")));
}

Result<std::vector<std::string>> all_strings(ParquetReader& reader, std::string_view column) {
  std::vector<std::string> values;
  for (int group = 0; group < reader.row_groups(); ++group)
    HEADRACE_RETURN_IF_ERROR(reader.read_strings(column, group, &values));
  return values;
}

// Marks what the mix left out among the rows that were kept so far: its rows are theirs, in order.
Result<void> apply_mix(const Context& context, std::size_t part, PartVerdicts* verdicts) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, open_part(context, kMixFolder, part));
  std::vector<std::uint32_t> chosen;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint32("chosen", &chosen));
  std::size_t next = 0;
  for (std::size_t row = 0; row < verdicts->ids.size(); ++row) {
    if (!verdicts->reasons[row].empty()) continue;
    if (next == chosen.size())
      return corrupt(
          "part {}: the mix has {} rows, too few for what was kept: run the recipe again", part,
          chosen.size());
    if (chosen[next++] == 0) verdicts->reasons[row] = verdicts->all_reasons[row] = kQuotaReason;
  }
  return {};
}

void apply_spans(PartVerdicts* verdicts) {
  std::size_t row = 0;
  for (const RemovedSpan& span : verdicts->spans.all()) {
    if (span.reason != SpanReason::kLittleLeft) continue;
    while (row < verdicts->ids.size() && verdicts->ids[row] < span.id) ++row;
    if (row == verdicts->ids.size()) return;
    if (verdicts->ids[row] == span.id)
      verdicts->reasons[row] = verdicts->all_reasons[row] = kLittleLeftReason;
  }
}

}  // namespace

std::size_t part_count(const Context& context) {
  const auto found = context.finished.find(kDocuments);
  return found == context.finished.end() ? 0 : found->second;
}

std::string front_of(const std::string& text, std::size_t bytes, bool* cut) {
  *cut = text.size() > bytes;
  if (!*cut) return text;
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

std::string format_value(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.6g}", value);
}

Result<PartVerdicts> load_verdicts(const Context& context, std::size_t part) {
  PartVerdicts verdicts;
  if (!context.finished.contains(kVerdict)) {
    HEADRACE_ASSIGN_OR_RETURN(auto reader, open_part(context, kMeasuresFolder, part));
    HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &verdicts.ids));
    verdicts.reasons.resize(verdicts.ids.size());
    verdicts.all_reasons.resize(verdicts.ids.size());
    verdicts.values.assign(verdicts.ids.size(), std::numeric_limits<double>::quiet_NaN());
    verdicts.duplicate_of.resize(verdicts.ids.size());
    return verdicts;
  }
  HEADRACE_ASSIGN_OR_RETURN(auto reader, open_part(context, kVerdictFolder, part));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &verdicts.ids));
  HEADRACE_RETURN_IF_ERROR(reader->read_double("value", &verdicts.values));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("duplicate_of", &verdicts.duplicate_of));
  HEADRACE_ASSIGN_OR_RETURN(verdicts.reasons, all_strings(*reader, "reason"));
  HEADRACE_ASSIGN_OR_RETURN(verdicts.all_reasons, all_strings(*reader, "reasons"));
  HEADRACE_ASSIGN_OR_RETURN(verdicts.spans, RemovedSpans::load(context, part));
  apply_spans(&verdicts);
  if (context.finished.contains(kMix))
    HEADRACE_RETURN_IF_ERROR(apply_mix(context, part, &verdicts));
  return verdicts;
}

Result<KeptRows> load_kept(const Context& context, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, open_part(context, kVerdictFolder, part));
  KeptRows rows;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &rows.ids));
  std::vector<std::string> reasons = {""};
  std::vector<std::uint32_t> codes;
  HEADRACE_RETURN_IF_ERROR(reader->read_codes("reason", &reasons, &codes));
  rows.kept.reserve(codes.size());
  for (const std::uint32_t code : codes) rows.kept.push_back(code == 0);
  return rows;
}

Result<void> for_each_text(const Context& context, std::size_t part,
                           const std::vector<bool>& wanted,
                           const std::function<bool(std::size_t row, RowText& text)>& sink,
                           TextFields fields) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, open_part(context, kNormalizedFolder, part));
  std::size_t row = 0;
  for (int group = 0; group < reader->row_groups(); ++group) {
    const std::size_t rows = reader->row_group_rows(group);
    const auto first = wanted.begin() + static_cast<std::ptrdiff_t>(row);
    if (std::find(first, first + static_cast<std::ptrdiff_t>(rows), true) !=
        first + static_cast<std::ptrdiff_t>(rows)) {
      std::vector<std::string> texts;
      std::vector<std::string> metas;
      HEADRACE_RETURN_IF_ERROR(reader->read_strings("text", group, &texts));
      if (fields == TextFields::kAll) {
        HEADRACE_RETURN_IF_ERROR(reader->read_strings("meta", group, &metas));
      } else {
        metas.resize(rows);
      }
      for (std::size_t i = 0; i < rows; ++i) {
        if (!wanted[row + i]) continue;
        RowText found{std::move(texts[i]), std::move(metas[i])};
        if (!sink(row + i, found)) return {};
      }
    }
    row += rows;
  }
  return {};
}

Result<std::vector<RejectedRow>> RejectedRecords::next_part() {
  const std::size_t part = part_++;
  std::vector<RejectedRow> rows;
  const std::optional<Commit> commit = context_.ledger.read(kDocuments, part);
  if (!commit) return rows;
  for (const OutputFile& output : commit->outputs) {
    if (!output.path.starts_with(kRejectedFolder)) continue;
    HEADRACE_ASSIGN_OR_RETURN(const std::string text,
                              io::read_file(context_.directory.at(output.path)));
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      HEADRACE_ASSIGN_OR_RETURN(RejectedRow row,
                                parse_rejected(std::string_view(text).substr(begin, end - begin)));
      if (row.line > 0) row.line += lines_before_[row.file];
      rows.push_back(std::move(row));
      begin = end + 1;
    }
  }
  for (const auto& [file, counts] : commit->files) lines_before_[file] += counts.lines;
  return rows;
}

}  // namespace headrace::curate
