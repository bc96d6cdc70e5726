// SPDX-License-Identifier: Apache-2.0
// Parquet: each row is a document; one column is its text, the others become its meta.
//
// Splits are runs of whole row groups. Rows are read in batches of about 8 MiB, and only the
// columns that are asked for. A row's place in ids is its number in the file. The text may stand
// inside structs (dotted path), or in a column that has the dots in its name, which wins.
//
// A file without a readable footer is no Parquet file, or one that was cut off: it is set aside
// as one record. A row group whose pages are damaged costs the rows of that group that come after
// the damage, each counted; the other groups are read.
#include <algorithm>
#include <exception>
#include <utility>

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <parquet/arrow/reader.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include "base/error.h"
#include "io/file.h"
#include "read/internal/arrow_input.h"
#include "read/internal/arrow_rows.h"
#include "read/internal/line_reader.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

constexpr std::int64_t kBatchBytes = std::int64_t{8} << 20;
constexpr std::int64_t kMostRows = 8192;
constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

class ParquetFile {
 public:
  static Result<ParquetFile> open(const std::string& path) {
    HEADRACE_ASSIGN_OR_RETURN(const auto input, open_arrow_input(path));
    try {
      parquet::ReaderProperties properties;
      properties.set_page_checksum_verification(true);  // of pages that have one
      parquet::arrow::FileReaderBuilder builder;
      ParquetFile file;
      arrow::Status status = builder.Open(input, properties);
      if (status.ok()) status = builder.Build(&file.reader_);
      if (status.ok()) status = file.reader_->GetSchema(&file.schema_);
      HEADRACE_RETURN_IF_ERROR(check_input(*input));
      if (!status.ok()) return corrupt("{}", status.message());
      file.input_ = input;
      return file;
    } catch (const std::exception& error) {
      HEADRACE_RETURN_IF_ERROR(check_input(*input));
      return corrupt("{}", error.what());
    }
  }

  const arrow::io::RandomAccessFile& input() const { return *input_; }

  parquet::arrow::FileReader& reader() { return *reader_; }
  const arrow::Schema& schema() const { return *schema_; }
  const parquet::FileMetaData& metadata() const { return *reader_->parquet_reader()->metadata(); }

  // The file's leaf columns that lie below `columns`.
  std::vector<int> leaves(const std::vector<int>& columns) const {
    std::vector<int> found;
    const parquet::SchemaDescriptor& schema = *metadata().schema();
    for (int leaf = 0; leaf < schema.num_columns(); ++leaf) {
      const int root = schema.group_node()->FieldIndex(*schema.GetColumnRoot(leaf));
      if (std::find(columns.begin(), columns.end(), root) != columns.end()) found.push_back(leaf);
    }
    return found;
  }

 private:
  std::shared_ptr<arrow::io::RandomAccessFile> input_;
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
};

class ParquetFileReader final : public Reader {
 public:
  explicit ParquetFileReader(ReadOptions options) : options_(std::move(options)) {}

  Result<std::vector<Split>> split(const std::string& path, std::uint64_t file,
                                   std::uint64_t target_bytes) const override {
    HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(path));
    if (info.is_directory) return invalid_argument("{} is a folder, not a file", path);
    const auto opened = ParquetFile::open(path);
    if (!opened) {
      if (opened.error().code() != Code::kCorrupt) return opened.error();
      return std::vector<Split>{{path, file, 0, 0, info.bytes}};
    }
    const parquet::FileMetaData& metadata = opened->metadata();
    std::vector<Split> splits;
    for (int group = 0; group < metadata.num_row_groups(); ++group) {
      const auto bytes =
          static_cast<std::uint64_t>(std::max<std::int64_t>(compressed_bytes(metadata, group), 0));
      if (splits.empty() || splits.back().bytes + bytes > target_bytes) {
        splits.push_back({path, file, static_cast<std::uint64_t>(group), 0, 0});
      }
      splits.back().end = static_cast<std::uint64_t>(group) + 1;
      splits.back().bytes += bytes;
    }
    if (splits.empty()) splits.push_back({path, file, 0, 0, info.bytes});
    return splits;
  }

  Result<ReadCounts> read(const Split& split, RecordSink& sink,
                          std::stop_token stop) const override {
    ReadCounts counts;
    ArrowRows rows(split, options_, sink);
    auto opened = ParquetFile::open(split.path);
    if (!opened) {
      if (opened.error().code() != Code::kCorrupt) return opened.error();
      return set_file_aside(split, opened.error().message(), rows);
    }
    ParquetFile& file = *opened;
    HEADRACE_RETURN_IF_ERROR(rows.bind(file.schema()));
    const std::vector<int> leaves = file.leaves(rows.columns());
    if (file.metadata().num_rows() == 0) {
      counts.notes.push_back({"valid_empty", "the file holds no rows"});
    }
    const auto end =
        std::min(split.end, static_cast<std::uint64_t>(file.metadata().num_row_groups()));
    std::uint64_t row = 0;
    for (int group = 0; group < static_cast<int>(end); ++group) {
      const auto group_rows =
          static_cast<std::uint64_t>(file.metadata().RowGroup(group)->num_rows());
      if (static_cast<std::uint64_t>(group) >= split.begin) {
        HEADRACE_RETURN_IF_ERROR(
            read_group(file, group, {row, row + group_rows}, leaves, rows, &counts, split, stop));
      }
      row += group_rows;
    }
    HEADRACE_RETURN_IF_ERROR(check_input(file.input()));
    return counts;
  }

 private:
  struct RowRange {
    std::uint64_t begin;
    std::uint64_t end;
  };

  static std::int64_t compressed_bytes(const parquet::FileMetaData& metadata, int group) {
    const auto row_group = metadata.RowGroup(group);
    std::int64_t bytes = 0;
    for (int i = 0; i < row_group->num_columns(); ++i) {
      bytes += row_group->ColumnChunk(i)->total_compressed_size();
    }
    return bytes;
  }

  static Result<ReadCounts> set_file_aside(const Split& split, const std::string& fault,
                                           ArrowRows& rows) {
    ReadCounts counts;
    HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(split.path));
    if (info.bytes == 0) {
      counts.notes.push_back({"empty_file", "the file has 0 bytes, not even a Parquet header"});
      return counts;
    }
    HEADRACE_ASSIGN_OR_RETURN(const std::string head, read_front(split.path));
    counts.bytes = info.bytes;
    // The magic number stands at both ends: a file that has lost its end was cut off.
    const bool cut_off = head.starts_with("PAR1");
    counts.notes.push_back({cut_off ? "truncated" : "corrupt", fault});
    HEADRACE_RETURN_IF_ERROR(
        rows.reject(0, Rejection::kQuarantine, cut_off ? "truncated" : "not_parquet", fault, head));
    return counts;
  }

  static Result<std::string> read_front(const std::string& path) {
    HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<io::InputStream> stream, io::open_input(path));
    std::string front(kFrontBytes, '\0');
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, stream->read(front.data(), front.size()));
    front.resize(got);
    return front;
  }

  Result<void> read_group(ParquetFile& file, int group, RowRange range,
                          const std::vector<int>& leaves, ArrowRows& rows, ReadCounts* counts,
                          const Split& split, const std::stop_token& stop) const {
    const auto row_group = file.metadata().RowGroup(group);
    const std::int64_t bytes = std::max<std::int64_t>(row_group->total_byte_size(), 1);
    const std::int64_t row_bytes = bytes / std::max<std::int64_t>(row_group->num_rows(), 1) + 1;
    file.reader().set_batch_size(std::clamp<std::int64_t>(kBatchBytes / row_bytes, 1, kMostRows));
    counts->bytes += static_cast<std::uint64_t>(bytes);
    std::uint64_t row = range.begin;
    std::string fault;
    try {
      auto batches = file.reader().GetRecordBatchReader({group}, leaves);
      if (!batches.ok()) fault = batches.status().message();
      if (fault.empty()) {
        HEADRACE_RETURN_IF_ERROR(rows.bind(*(*batches)->schema()));
      }
      while (fault.empty() && row < range.end) {
        if (stop.stop_requested()) return cancelled("reading {} was stopped", split.path);
        std::shared_ptr<arrow::RecordBatch> batch;
        arrow::Status status = (*batches)->ReadNext(&batch);
        if (status.ok() && batch == nullptr) break;
        if (status.ok()) status = batch->Validate();
        if (!status.ok()) {
          fault = status.message();
          break;
        }
        HEADRACE_RETURN_IF_ERROR(rows.batch(*batch, row));
        row += static_cast<std::uint64_t>(batch->num_rows());
      }
    } catch (const std::exception& error) {
      fault = error.what();
    }
    if (row == range.end) return {};
    if (fault.empty()) fault = "fewer rows than the footer says";
    counts->notes.push_back(
        {"corrupt", fmt::format("row group {}, from row {} on: {}", group, row, fault)});
    for (; row < range.end; ++row) {
      HEADRACE_RETURN_IF_ERROR(rows.reject(row, Rejection::kQuarantine, "corrupt", fault));
    }
    return {};
  }

  const ReadOptions options_;
};

Result<std::unique_ptr<Reader>> make_parquet_reader(const ReadOptions& options,
                                                    const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<ParquetFileReader>(options);
}

}  // namespace

void register_parquet(Registry& registry) {
  registry.add({"parquet",
                {".parquet", ".pq"},
                "Parquet: each row is a document, one column its text",
                make_parquet_reader});
}

}  // namespace headrace::read
