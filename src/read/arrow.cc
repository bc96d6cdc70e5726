// SPDX-License-Identifier: Apache-2.0
// Arrow IPC, files (Feather version 2) and streams: each row is a document; one column is its text,
// the others become its meta.
//
// A file is cut between its record batches, a stream is one split. A row's place in ids is its
// number in the file; batches do not say theirs, so splitting reads one narrow column of each.
//
// A file is a stream between two magic numbers and an index: one that has lost its end is read as a
// stream up to there. Offsets come from the file, so every batch is checked in full before its
// values are looked at; its strings are first taken for bytes, and its times for numbers, so that
// one bad value costs its row at most and not the batch.
#include <algorithm>
#include <exception>
#include <utility>

#include <arrow/api.h>
#include <arrow/io/interfaces.h>
#include <arrow/ipc/reader.h>

#include "base/error.h"
#include "io/file.h"
#include "read/internal/arrow_check.h"
#include "read/internal/arrow_input.h"
#include "read/internal/arrow_rows.h"
#include "read/internal/line_reader.h"
#include "read/internal/whole_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

constexpr std::string_view kMagic = "ARROW1";
constexpr std::int64_t kMagicBytes = 8;  // with its padding
constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

using BatchFile = std::shared_ptr<arrow::ipc::RecordBatchFileReader>;
using BatchStream = std::shared_ptr<arrow::ipc::RecordBatchStreamReader>;

// Runs Arrow's code; what it throws becomes a status.
template <class Call>
auto guarded(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& error) {
    return arrow::Status::Invalid(error.what());
  }
}

arrow::ipc::IpcReadOptions options_for(const std::vector<int>& columns) {
  auto options = arrow::ipc::IpcReadOptions::Defaults();
  options.use_threads = false;
  options.included_fields = columns;
  return options;
}

class ArrowReader final : public Reader {
 public:
  explicit ArrowReader(ReadOptions options) : options_(std::move(options)) {}

  Result<std::vector<Split>> split(const std::string& path, std::uint64_t file,
                                   std::uint64_t target_bytes) const override {
    HEADRACE_ASSIGN_OR_RETURN(std::vector<Split> whole, one_split(path, file));
    const std::uint64_t bytes = whole[0].bytes;
    if (bytes <= target_bytes) return whole;
    HEADRACE_ASSIGN_OR_RETURN(const auto input, open_arrow_input(path));
    const auto rows = guarded([&] { return rows_of_batches(input); });
    HEADRACE_RETURN_IF_ERROR(check_input(*input));
    if (!rows.ok() || rows->empty()) return whole;
    const std::uint64_t batch_bytes = bytes / rows->size() + 1;
    const std::uint64_t step = std::max<std::uint64_t>(target_bytes / batch_bytes, 1);
    std::vector<Split> splits;
    std::uint64_t row = 0;
    for (std::uint64_t batch = 0; batch < rows->size(); ++batch) {
      if (batch % step == 0) {
        splits.push_back({path, file, batch, batch, 0, row});
      }
      splits.back().end = batch + 1;
      splits.back().bytes += batch_bytes;
      row += (*rows)[batch];
    }
    return splits;
  }

  Result<ReadCounts> read(const Split& split, RecordSink& sink,
                          std::stop_token stop) const override {
    ReadCounts counts;
    ArrowRows rows(split, options_, sink);
    HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(split.path));
    if (info.bytes == 0) {
      counts.notes.push_back({"empty_file", "the file has 0 bytes, not even an Arrow schema"});
      return counts;
    }
    counts.bytes = split.bytes;
    HEADRACE_ASSIGN_OR_RETURN(const auto input, open_arrow_input(split.path));
    const auto front = input->ReadAt(0, kMagicBytes);
    const bool is_file = front.ok() && std::string_view(**front).starts_with(kMagic);
    auto file = guarded([&]() -> arrow::Result<BatchFile> {
      if (!is_file) return arrow::Status::Invalid("a stream");
      return arrow::ipc::RecordBatchFileReader::Open(input.get());
    });
    if (file.ok()) {
      HEADRACE_RETURN_IF_ERROR(read_file(**file, *input, split, rows, &counts, stop));
      HEADRACE_RETURN_IF_ERROR(check_input(*input));
      return counts;
    }
    if (is_file) {
      counts.notes.push_back({"truncated", file.status().message()});
    }
    HEADRACE_RETURN_IF_ERROR(
        read_stream(*input, is_file ? kMagicBytes : 0, split, rows, &counts, stop));
    HEADRACE_RETURN_IF_ERROR(check_input(*input));
    return counts;
  }

 private:
  static arrow::Result<std::vector<std::uint64_t>> rows_of_batches(
      const std::shared_ptr<arrow::io::RandomAccessFile>& input) {
    ARROW_ASSIGN_OR_RAISE(const BatchFile whole,
                          arrow::ipc::RecordBatchFileReader::Open(input.get()));
    ARROW_ASSIGN_OR_RAISE(const BatchFile narrow,
                          arrow::ipc::RecordBatchFileReader::Open(
                              input.get(), options_for({narrow_column(*whole->schema())})));
    std::vector<std::uint64_t> rows;
    for (int batch = 0; batch < narrow->num_record_batches(); ++batch) {
      ARROW_ASSIGN_OR_RAISE(const auto read, narrow->ReadRecordBatch(batch));
      rows.push_back(static_cast<std::uint64_t>(read->num_rows()));
    }
    return rows;
  }

  static int narrow_column(const arrow::Schema& schema) {
    for (int i = 0; i < schema.num_fields(); ++i) {
      if (arrow::is_fixed_width(schema.field(i)->type()->id())) return i;
    }
    return 0;
  }

  // The columns that are read; one at least, for the number of rows.
  Result<std::vector<int>> columns_of(const arrow::Schema& schema, ArrowRows& rows) const {
    HEADRACE_RETURN_IF_ERROR(rows.bind(schema));
    std::vector<int> columns = rows.columns();
    if (columns.empty() && schema.num_fields() > 0) columns.push_back(narrow_column(schema));
    return columns;
  }

  Result<void> read_file(arrow::ipc::RecordBatchFileReader& whole,
                         arrow::io::RandomAccessFile& input, const Split& split, ArrowRows& rows,
                         ReadCounts* counts, const std::stop_token& stop) const {
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<int> columns, columns_of(*whole.schema(), rows));
    const auto file = guarded(
        [&] { return arrow::ipc::RecordBatchFileReader::Open(&input, options_for(columns)); });
    if (!file.ok()) return corrupt("reading {}: {}", split.path, file.status().message());
    const int count = (*file)->num_record_batches();
    if (count == 0) counts->notes.push_back({"valid_empty", "the file holds no rows"});
    // A split that is the whole file counts bytes, as it was not cut.
    const bool is_whole = split.begin == 0 && split.end == split.bytes;
    const int end =
        is_whole ? count : static_cast<int>(std::min(split.end, static_cast<std::uint64_t>(count)));
    std::uint64_t row = split.decompressed_begin;
    for (int batch = static_cast<int>(split.begin); batch < end; ++batch) {
      if (stop.stop_requested()) return cancelled("reading {} was stopped", split.path);
      const auto read = guarded([&]() -> arrow::Result<std::shared_ptr<arrow::RecordBatch>> {
        ARROW_ASSIGN_OR_RAISE(const auto unchecked, (*file)->ReadRecordBatch(batch));
        return check_batch(*unchecked);
      });
      if (!read.ok()) {
        const std::string fault =
            fmt::format("record batch {}: {}", batch, read.status().message());
        counts->notes.push_back({"corrupt", fault});
        HEADRACE_RETURN_IF_ERROR(rows.reject(row, Rejection::kQuarantine, "corrupt", fault));
        continue;
      }
      HEADRACE_RETURN_IF_ERROR(put(**read, &row, rows));
    }
    return {};
  }

  Result<void> read_stream(arrow::io::RandomAccessFile& input, std::int64_t begin,
                           const Split& split, ArrowRows& rows, ReadCounts* counts,
                           const std::stop_token& stop) const {
    const auto open_at_begin = [&](const std::vector<int>& columns) -> arrow::Result<BatchStream> {
      ARROW_RETURN_NOT_OK(input.Seek(begin));
      return arrow::ipc::RecordBatchStreamReader::Open(&input, options_for(columns));
    };
    auto stream = guarded([&] { return open_at_begin({}); });
    if (!stream.ok()) return set_file_aside(input, stream.status().message(), rows, counts);
    HEADRACE_ASSIGN_OR_RETURN(const std::vector<int> columns,
                              columns_of(*(*stream)->schema(), rows));
    stream = guarded([&] { return open_at_begin(columns); });
    std::uint64_t row = 0;
    while (stream.ok()) {
      if (stop.stop_requested()) return cancelled("reading {} was stopped", split.path);
      const auto read = guarded([&]() -> arrow::Result<std::shared_ptr<arrow::RecordBatch>> {
        std::shared_ptr<arrow::RecordBatch> unchecked;
        ARROW_RETURN_NOT_OK((*stream)->ReadNext(&unchecked));
        if (unchecked == nullptr) return unchecked;
        return check_batch(*unchecked);
      });
      if (!read.ok()) {
        // What follows cannot be found: a stream has no index.
        const std::string fault = fmt::format("from row {} on: {}", row, read.status().message());
        if (counts->notes.empty()) counts->notes.push_back({"truncated", fault});
        return rows.reject(row, Rejection::kQuarantine, "truncated", fault);
      }
      if (*read == nullptr) break;
      HEADRACE_RETURN_IF_ERROR(put(**read, &row, rows));
    }
    if (row == 0 && counts->notes.empty()) {
      counts->notes.push_back({"valid_empty", "the stream holds no rows"});
    }
    return {};
  }

  static Result<void> put(const arrow::RecordBatch& batch, std::uint64_t* row, ArrowRows& rows) {
    HEADRACE_RETURN_IF_ERROR(rows.bind(*batch.schema()));
    HEADRACE_RETURN_IF_ERROR(rows.batch(batch, *row));
    *row += static_cast<std::uint64_t>(batch.num_rows());
    return {};
  }

  static Result<void> set_file_aside(arrow::io::RandomAccessFile& input, const std::string& fault,
                                     ArrowRows& rows, ReadCounts* counts) {
    const auto front = input.ReadAt(0, kFrontBytes);
    const std::string bytes = front.ok() ? (*front)->ToString() : std::string();
    const bool cut_off = !counts->notes.empty();
    if (!cut_off) counts->notes.push_back({"corrupt", fault});
    return rows.reject(0, Rejection::kQuarantine, cut_off ? "truncated" : "not_arrow", fault,
                       bytes);
  }

  const ReadOptions options_;
};

Result<std::unique_ptr<Reader>> make_arrow_reader(const ReadOptions& options,
                                                  const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<ArrowReader>(options);
}

}  // namespace

void register_arrow(Registry& registry) {
  registry.add({"arrow",
                {".arrow", ".feather", ".ipc"},
                "Arrow IPC files and streams: each row is a document, one column its text",
                make_arrow_reader});
}

}  // namespace headrace::read
