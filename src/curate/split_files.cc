// SPDX-License-Identifier: Apache-2.0
#include "curate/split_files.h"

#include "curate/leak_files.h"
#include "curate/validation.h"
#include "io/file.h"
#include "record/parquet_table.h"

namespace headrace::curate {
namespace {

Result<std::vector<bool>> read_flags(ParquetReader& reader, const char* column) {
  std::vector<std::uint32_t> flags;
  HEADRACE_RETURN_IF_ERROR(reader.read_uint32(column, &flags));
  return std::vector<bool>(flags.begin(), flags.end());
}

Result<void> write_leaks(const std::string& path, const std::vector<SplitLeak>& leaks) {
  io::AtomicPath file(path);
  HEADRACE_ASSIGN_OR_RETURN(
      auto writer,
      ParquetWriter::create(file.temporary(), {{"id", ColumnType::kUint64},
                                               {"validation_id", ColumnType::kUint64},
                                               {"leak", ColumnType::kUint32},
                                               {"share_validation", ColumnType::kDouble},
                                               {"share_training", ColumnType::kDouble},
                                               {"mass", ColumnType::kDouble},
                                               {"pieces", ColumnType::kString}}));
  for (const SplitLeak& leak : leaks) {
    writer->append_uint64(0, leak.id);
    writer->append_uint64(1, leak.validation_id);
    writer->append_uint32(2, leak.leak ? 1 : 0);
    writer->append_double(3, leak.share_validation);
    writer->append_double(4, leak.share_training);
    writer->append_double(5, leak.mass);
    writer->append_string(6, format_ranges(leak.pieces));
    HEADRACE_RETURN_IF_ERROR(writer->end_row());
  }
  HEADRACE_RETURN_IF_ERROR(writer->close());
  return file.commit();
}

}  // namespace

Result<std::vector<bool>> SplitPart::load_scanned(const RunDirectory& directory, std::size_t part) {
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(directory.at(split_file(part))));
  return read_flags(*reader, "scanned");
}

Result<std::vector<SplitLeak>> SplitPart::load_leaks(const RunDirectory& directory,
                                                     std::size_t part) {
  const std::string path = directory.at(split_leaks_file(part));
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(path));
  std::vector<std::uint64_t> ids;
  std::vector<std::uint64_t> validation_ids;
  std::vector<double> share_validation;
  std::vector<double> share_training;
  std::vector<double> mass;
  std::vector<std::string> pieces;
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &ids));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("validation_id", &validation_ids));
  HEADRACE_ASSIGN_OR_RETURN(const std::vector<bool> is_leak, read_flags(*reader, "leak"));
  HEADRACE_RETURN_IF_ERROR(reader->read_double("share_validation", &share_validation));
  HEADRACE_RETURN_IF_ERROR(reader->read_double("share_training", &share_training));
  HEADRACE_RETURN_IF_ERROR(reader->read_double("mass", &mass));
  for (int group = 0; group < reader->row_groups(); ++group)
    HEADRACE_RETURN_IF_ERROR(reader->read_strings("pieces", group, &pieces));
  std::vector<SplitLeak> leaks;
  for (std::size_t row = 0; row < ids.size(); ++row) {
    auto ranges = parse_ranges(pieces[row]);
    if (!ranges) return ranges.error().with_context(path);
    leaks.push_back({ids[row], validation_ids[row], is_leak[row], share_validation[row],
                     share_training[row], mass[row], *std::move(ranges)});
  }
  return leaks;
}

Result<SplitPart> SplitPart::load(const RunDirectory& directory, std::size_t part) {
  SplitPart rows;
  HEADRACE_ASSIGN_OR_RETURN(auto reader, ParquetReader::open(directory.at(split_file(part))));
  HEADRACE_RETURN_IF_ERROR(reader->read_uint64("id", &rows.ids));
  HEADRACE_ASSIGN_OR_RETURN(rows.validation, read_flags(*reader, "validation"));
  HEADRACE_ASSIGN_OR_RETURN(rows.scanned, read_flags(*reader, "scanned"));
  HEADRACE_ASSIGN_OR_RETURN(rows.leaks, load_leaks(directory, part));
  return rows;
}

Result<void> SplitPart::write(const RunDirectory& directory, std::size_t part) const {
  io::AtomicPath file(directory.at(split_file(part)));
  HEADRACE_ASSIGN_OR_RETURN(
      auto writer, ParquetWriter::create(file.temporary(), {{"id", ColumnType::kUint64},
                                                            {"validation", ColumnType::kUint32},
                                                            {"scanned", ColumnType::kUint32}}));
  for (std::size_t row = 0; row < ids.size(); ++row) {
    writer->append_uint64(0, ids[row]);
    writer->append_uint32(1, validation[row] ? 1 : 0);
    writer->append_uint32(2, scanned[row] ? 1 : 0);
    HEADRACE_RETURN_IF_ERROR(writer->end_row());
  }
  HEADRACE_RETURN_IF_ERROR(writer->close());
  HEADRACE_RETURN_IF_ERROR(file.commit());
  return write_leaks(directory.at(split_leaks_file(part)), leaks);
}

}  // namespace headrace::curate
