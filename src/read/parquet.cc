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
#include <limits>
#include <simdjson.h>
#include <utility>

#include <arrow/api.h>
#include <arrow/io/file.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>

#include "base/error.h"
#include "io/file.h"
#include "read/internal/arrow_json.h"
#include "read/internal/file_encoding.h"
#include "read/internal/json_record.h"
#include "read/internal/line_reader.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

constexpr std::int64_t kBatchBytes = std::int64_t{8} << 20;
constexpr std::int64_t kMostRows = 8192;
constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

// The way from the columns of a file to one field.
struct FieldPath {
  int column = -1;                 // -1: there is no such field
  std::vector<std::string> names;  // below the column, through structs
};

std::vector<std::string> cut_at_dots(std::string_view path) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t dot = path.find('.');
    names.emplace_back(path.substr(0, dot));
    if (dot == path.npos) return names;
    path.remove_prefix(dot + 1);
  }
}

FieldPath find_path(const arrow::Schema& schema, const std::string& path) {
  FieldPath found;
  found.column = schema.GetFieldIndex(path);
  if (found.column >= 0) return found;
  found.names = cut_at_dots(path);
  found.column = schema.GetFieldIndex(found.names[0]);
  found.names.erase(found.names.begin());
  if (found.column < 0) return found;
  const arrow::DataType* type = schema.field(found.column)->type().get();
  for (const std::string& name : found.names) {
    if (type->id() != arrow::Type::STRUCT) return {};
    const auto field = static_cast<const arrow::StructType*>(type)->GetFieldByName(name);
    if (field == nullptr) return {};
    type = field->type().get();
  }
  return found;
}

// The array at the end of a path; nullptr when a struct on the way is null in this row.
const arrow::Array* resolve(const arrow::Array& column, const std::vector<std::string>& names,
                            std::int64_t row) {
  const arrow::Array* array = &column;
  for (const std::string& name : names) {
    if (array->IsNull(row)) return nullptr;
    const auto& holder = static_cast<const arrow::StructArray&>(*array);
    array = holder.field(holder.struct_type()->GetFieldIndex(name)).get();
  }
  return array;
}

class ParquetFile {
 public:
  static Result<ParquetFile> open(const std::string& path) {
    auto input = arrow::io::ReadableFile::Open(path);
    if (!input.ok()) return unavailable("opening {}: {}", path, input.status().message());
    try {
      parquet::ReaderProperties properties;
      properties.set_page_checksum_verification(true);  // of pages that have one
      parquet::arrow::FileReaderBuilder builder;
      ParquetFile file;
      arrow::Status status = builder.Open(*input, properties);
      if (status.ok()) status = builder.Build(&file.reader_);
      if (status.ok()) status = file.reader_->GetSchema(&file.schema_);
      if (!status.ok()) return corrupt("{}", status.message());
      return file;
    } catch (const std::exception& error) {
      return corrupt("{}", error.what());
    }
  }

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
  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
};

// Rows of record batches → documents.
class Rows {
 public:
  Rows(const Split& split, const ReadOptions& options, RecordSink& sink)
      : split_(split), options_(options), sink_(sink) {}

  // Looks the fields up in `schema`, the schema of the batches or of the file.
  void bind(const arrow::Schema& schema) {
    text_ = find_path(schema, options_.text_field);
    way_to_text_ = text_.names;
    fields_.clear();
    if (options_.keep_all) {
      for (int i = 0; i < schema.num_fields(); ++i) {
        if (i == text_.column && text_.names.empty()) continue;
        fields_.push_back({{i, {}}, quoted(schema.field(i)->name())});
      }
    } else {
      for (const std::string& path : options_.keep) {
        FieldPath found = find_path(schema, path);
        if (found.column >= 0) fields_.push_back({std::move(found), quoted(path)});
      }
    }
  }

  bool has_text() const { return text_.column >= 0; }

  // Columns that are read, ascending.
  std::vector<int> columns() const {
    std::vector<int> all;
    if (has_text()) all.push_back(text_.column);
    for (const Field& field : fields_) all.push_back(field.path.column);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  Result<void> batch(const arrow::RecordBatch& batch, std::uint64_t first_row) {
    columns_.clear();
    for (int i = 0; i < batch.num_columns(); ++i) columns_.push_back(batch.column(i));
    for (std::int64_t row = 0; row < batch.num_rows(); ++row) {
      HEADRACE_RETURN_IF_ERROR(this->row(row, first_row + static_cast<std::uint64_t>(row)));
    }
    return {};
  }

  Result<void> reject(std::uint64_t row, Rejection kind, std::string_view reason,
                      std::string detail, std::string_view bytes = {}) {
    RejectedRecord record;
    record.kind = kind;
    record.reason = reason;
    record.detail = std::move(detail);
    record.offset = row;
    record.bytes = bytes.substr(0, std::min<std::size_t>(bytes.size(), options_.max_record_bytes));
    return sink_.rejected(record);
  }

 private:
  struct Field {
    FieldPath path;
    std::string quoted_name;
  };

  static std::string quoted(std::string_view name) {
    std::string json;
    append_json_string(name, &json);
    return json;
  }

  Result<void> row(std::int64_t row, std::uint64_t place) {
    const auto column = static_cast<std::size_t>(text_.column);
    const arrow::Array* array = has_text() ? resolve(*columns_[column], text_.names, row) : nullptr;
    if (array == nullptr) return drop(row, place, "text_missing", "is not there");
    if (array->IsNull(row) || array->type_id() == arrow::Type::NA) {
      return drop(row, place, "text_null", "is null");
    }
    std::string_view text;
    if (!string_value(*array, row, &text)) {
      return drop(row, place, "text_not_string", "is of type " + array->type()->ToString());
    }
    if (text.size() > options_.max_record_bytes) {
      return reject(place, Rejection::kDrop, "record_too_long",
                    fmt::format("the text is longer than {} bytes", options_.max_record_bytes),
                    text.substr(0, kFrontBytes));
    }
    if (!simdjson::validate_utf8(text.data(), text.size())) {
      const std::size_t bad = first_invalid_utf8(text);
      return reject(place, Rejection::kQuarantine, "invalid_utf8",
                    fmt::format("byte 0x{:02X} at byte {} of the text of row {} is not UTF-8",
                                static_cast<unsigned char>(text[bad]), bad, place),
                    text);
    }
    document_.id = DocumentId::make(split_.file, place);
    document_.text = text;
    document_.line = 0;
    document_.meta.clear();
    append_fields(row, &document_.meta);
    return sink_.document(document_);
  }

  Result<void> drop(std::int64_t row, std::uint64_t place, std::string_view reason,
                    std::string_view what) {
    std::string fields;
    append_fields(row, &fields);
    return reject(place, Rejection::kDrop, reason,
                  fmt::format("row {}: the field '{}' {}", place, options_.text_field, what),
                  fields);
  }

  void append_fields(std::int64_t row, std::string* json) const {
    for (const Field& field : fields_) {
      const arrow::Array* array =
          resolve(*columns_[static_cast<std::size_t>(field.path.column)], field.path.names, row);
      if (array == nullptr) continue;
      *json += json->empty() ? '{' : ',';
      *json += field.quoted_name;
      *json += ':';
      const bool holds_text =
          field.path.column == text_.column && field.path.names.empty() && !text_.names.empty();
      append_json(
          *array, row,
          holds_text ? std::span<const std::string>(way_to_text_) : std::span<const std::string>{},
          json);
    }
    if (!json->empty()) *json += '}';
  }

  const Split& split_;
  const ReadOptions& options_;
  RecordSink& sink_;
  FieldPath text_;
  std::vector<std::string> way_to_text_;
  std::vector<Field> fields_;
  std::vector<std::shared_ptr<arrow::Array>> columns_;
  Document document_;
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
    Rows rows(split, options_, sink);
    auto opened = ParquetFile::open(split.path);
    if (!opened) {
      if (opened.error().code() != Code::kCorrupt) return opened.error();
      return set_file_aside(split, opened.error().message(), rows);
    }
    ParquetFile& file = *opened;
    rows.bind(file.schema());
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
                                           Rows& rows) {
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
                          const std::vector<int>& leaves, Rows& rows, ReadCounts* counts,
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
      if (fault.empty()) rows.bind(*(*batches)->schema());
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
