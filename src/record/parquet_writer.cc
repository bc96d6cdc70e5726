// SPDX-License-Identifier: Apache-2.0
// Rows → a Parquet file of a few typed columns.
//
// A stage that writes text spends most of its time here, so the way to the compressor is short:
// values are appended to one plain buffer per column, and a piece of kPieceBytes or kPieceRows goes
// to the Parquet library while it is still in the cache. The library makes pages of it, which it
// keeps compressed until the row group, cut at kRowGroupBytes of values, is written to the file.
// (Buffering the whole row group as it is was tried first: a fifth of the time went into page
// faults.) The library looks at the page size only after each batch of values, so pieces bound the
// pages too: a thousand long documents at once would make a page of a hundred megabytes.
//
// Encodings: PLAIN under zstd level 1, and a dictionary only for strings that repeat (a domain
// name): hashing long texts or hashes to find that none repeats is wasted. Which columns repeat is
// decided once per file from its first piece, so it is a function of the rows.
//
// The same rows give the same bytes: row groups are cut by counted bytes, `created_by` is fixed,
// and nothing in the file depends on the time, the machine or the path. Pages carry a CRC-32.
//
// Cost: near zstd level 1 on the same bytes. Memory: one compressed row group, and per column a
// piece and a page.
// Source: github.com/apache/parquet-format.
#include <cmath>
#include <unordered_set>
#include <utility>

#include <arrow/io/file.h>
#include <arrow/util/key_value_metadata.h>
#include <parquet/api/writer.h>

#include "headrace/result.h"

#include "base/error.h"
#include "base/hash.h"
#include "record/internal/parquet_error.h"
#include "record/parquet_table.h"

namespace headrace {
namespace {

using record_internal::from_arrow;
using record_internal::guarded;

// Affects the bytes of every file: a change needs another kCreatedBy.
constexpr std::uint64_t kRowGroupBytes = std::uint64_t{64} << 20;
constexpr std::int64_t kPageBytes = std::int64_t{1} << 20;
constexpr std::uint64_t kPieceBytes = std::uint64_t{256} << 10;  // of strings
constexpr std::size_t kPieceRows = 1024;
constexpr std::uint64_t kFirstPieceBytes = std::uint64_t{1} << 20;
constexpr int kZstdLevel = 1;
constexpr const char* kCreatedBy = "headrace version 1";

// A page's size is a signed 32-bit number in the format; nothing that long is a document.
constexpr std::size_t kMaxStringBytes = std::size_t{1} << 30;

constexpr std::size_t kDictionaryMaxMeanBytes = 256;

// The open piece of one column. Nulls stand in `levels` only, as Parquet wants them.
struct Column {
  ColumnInfo info;
  std::vector<std::int64_t> int64s;  // kUint64 and kInt64: the format knows the bits only
  std::vector<std::int32_t> int32s;
  std::vector<double> doubles;
  std::string bytes;                 // strings end to end
  std::vector<std::uint64_t> ends;   // of each string in `bytes`
  std::vector<std::int16_t> levels;  // nullable columns: 1 = value, 0 = null

  std::size_t values() const {
    return int64s.size() + int32s.size() + doubles.size() + ends.size();
  }
  std::size_t rows() const { return info.nullable ? levels.size() : values(); }

  std::string_view string_at(std::size_t i) const {
    const std::uint64_t begin = i == 0 ? 0 : ends[i - 1];
    return std::string_view(bytes).substr(begin, ends[i] - begin);
  }

  void clear() {
    int64s.clear();
    int32s.clear();
    doubles.clear();
    bytes.clear();
    ends.clear();
    levels.clear();
  }
};

parquet::schema::NodePtr schema_node(const ColumnInfo& info) {
  using parquet::LogicalType;
  using parquet::schema::PrimitiveNode;
  const auto repetition =
      info.nullable ? parquet::Repetition::OPTIONAL : parquet::Repetition::REQUIRED;
  switch (info.type) {
    case ColumnType::kUint64:
      return PrimitiveNode::Make(info.name, repetition, LogicalType::Int(64, false),
                                 parquet::Type::INT64);
    case ColumnType::kUint32:
      return PrimitiveNode::Make(info.name, repetition, LogicalType::Int(32, false),
                                 parquet::Type::INT32);
    case ColumnType::kInt64:
      return PrimitiveNode::Make(info.name, repetition, LogicalType::Int(64, true),
                                 parquet::Type::INT64);
    case ColumnType::kDouble:
      return PrimitiveNode::Make(info.name, repetition, LogicalType::None(), parquet::Type::DOUBLE);
    case ColumnType::kString:
      break;
  }
  return PrimitiveNode::Make(info.name, repetition, LogicalType::String(),
                             parquet::Type::BYTE_ARRAY);
}

// Short strings of which each stands for at least four.
bool repeats(const Column& column) {
  const std::size_t n = column.ends.size();
  if (n == 0 || column.bytes.size() > n * kDictionaryMaxMeanBytes) return false;
  std::unordered_set<std::uint64_t> distinct;
  for (std::size_t i = 0; i < n; ++i) distinct.insert(hash64(column.string_at(i)));
  return distinct.size() * 4 <= n;
}

std::shared_ptr<parquet::WriterProperties> properties_for(const std::vector<Column>& columns) {
  parquet::WriterProperties::Builder builder;
  builder.created_by(kCreatedBy)
      ->version(parquet::ParquetVersion::PARQUET_2_6)
      ->compression(parquet::Compression::ZSTD)
      ->compression_level(kZstdLevel)
      ->data_pagesize(kPageBytes)
      ->disable_dictionary()
      ->set_size_statistics_level(parquet::SizeStatisticsLevel::None)
      ->enable_page_checksum();
  for (const Column& column : columns) {
    if (column.info.type != ColumnType::kString) continue;
    const auto path =
        std::make_shared<parquet::schema::ColumnPath>(std::vector<std::string>{column.info.name});
    builder.disable_statistics(path);
    if (repeats(column)) builder.enable_dictionary(path);
  }
  return builder.build();
}

template <class Writer, class Value>
void write_values(parquet::ColumnWriter* writer, const Column& column,
                  const std::vector<Value>& values) {
  static_cast<Writer*>(writer)->WriteBatch(static_cast<std::int64_t>(column.rows()),
                                           column.info.nullable ? column.levels.data() : nullptr,
                                           nullptr, values.data());
}

void write_strings(parquet::ColumnWriter* writer, const Column& column) {
  std::vector<parquet::ByteArray> strings(column.ends.size());
  for (std::size_t i = 0; i < strings.size(); ++i) {
    strings[i] = parquet::ByteArray(column.string_at(i));
  }
  write_values<parquet::ByteArrayWriter>(writer, column, strings);
}

void write_column(parquet::ColumnWriter* writer, const Column& column) {
  switch (column.info.type) {
    case ColumnType::kUint64:
    case ColumnType::kInt64:
      return write_values<parquet::Int64Writer>(writer, column, column.int64s);
    case ColumnType::kUint32:
      return write_values<parquet::Int32Writer>(writer, column, column.int32s);
    case ColumnType::kDouble:
      return write_values<parquet::DoubleWriter>(writer, column, column.doubles);
    case ColumnType::kString:
      return write_strings(writer, column);
  }
}

class Writer final : public ParquetWriter {
 public:
  Writer(std::string path, std::shared_ptr<arrow::io::FileOutputStream> sink,
         const std::vector<ColumnInfo>& columns,
         const std::vector<std::pair<std::string, std::string>>& metadata)
      : doing_("writing " + path), sink_(std::move(sink)), metadata_(metadata) {
    columns_.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns_[i].info = columns[i];
      row_bytes_ +=
          columns[i].type == ColumnType::kUint32 || columns[i].type == ColumnType::kString ? 4 : 8;
    }
  }

  // The library would write a footer, and make half a file look whole, if its sink still took one.
  ~Writer() override { static_cast<void>(sink_->Close()); }

  void append_uint64(std::size_t column, std::uint64_t value) override {
    start_value(column, ColumnType::kUint64).int64s.push_back(static_cast<std::int64_t>(value));
  }
  void append_uint32(std::size_t column, std::uint32_t value) override {
    start_value(column, ColumnType::kUint32).int32s.push_back(static_cast<std::int32_t>(value));
  }
  void append_int64(std::size_t column, std::int64_t value) override {
    start_value(column, ColumnType::kInt64).int64s.push_back(value);
  }
  void append_double(std::size_t column, double value) override {
    if (columns_[column].info.nullable && std::isnan(value)) return append_null(column);
    start_value(column, ColumnType::kDouble).doubles.push_back(value);
  }
  void append_string(std::size_t column, std::string_view value) override {
    Column& strings = start_value(column, ColumnType::kString);
    if (value.size() > kMaxStringBytes) {
      too_long_ = &strings;
      value = {};
    }
    strings.bytes.append(value);
    strings.ends.push_back(strings.bytes.size());
    piece_bytes_ += value.size();
  }
  void append_null(std::size_t column) override {
    HEADRACE_DCHECK(columns_[column].info.nullable);
    columns_[column].levels.push_back(0);
    ++appended_;
  }

  Result<void> end_row() override;
  Result<void> close() override;

 private:
  Column& start_value(std::size_t index, ColumnType type) {
    Column& column = columns_[index];
    HEADRACE_DCHECK(column.info.type == type && column.rows() == rows_);
    static_cast<void>(type);
    if (column.info.nullable) column.levels.push_back(1);
    ++appended_;
    return column;
  }

  Result<void> check_piece() const;
  // These throw.
  void open_file();
  void write_piece();
  void end_group();

  const std::string doing_;
  std::shared_ptr<arrow::io::FileOutputStream> sink_;
  const std::vector<std::pair<std::string, std::string>> metadata_;
  std::unique_ptr<parquet::ParquetFileWriter> file_;  // from the first piece on
  parquet::RowGroupWriter* group_ = nullptr;          // the open row group, if there is one
  std::vector<Column> columns_;
  std::uint64_t row_bytes_ = 0;       // what every row counts beside its strings
  std::uint64_t piece_bytes_ = 0;     // strings of the open piece
  std::uint64_t group_bytes_ = 0;     // counted bytes of the open row group without its open piece
  std::size_t rows_ = 0;              // in the open piece
  std::size_t appended_ = 0;          // values of the open row
  const Column* too_long_ = nullptr;  // got a string above the limit
};

Result<void> Writer::end_row() {
  if (too_long_ != nullptr) {
    return unsupported("{}: a value of column '{}' has more than {} bytes", doing_,
                       too_long_->info.name, kMaxStringBytes);
  }
  if (appended_ != columns_.size()) {
    return internal_error("{}: a row got {} values for {} columns", doing_, appended_,
                          columns_.size());
  }
  appended_ = 0;
  ++rows_;
  const std::uint64_t group_bytes = group_bytes_ + piece_bytes_ + rows_ * row_bytes_;
  const bool group_ends = group_bytes >= kRowGroupBytes;
  if (!group_ends && rows_ < kPieceRows &&
      piece_bytes_ < (file_ == nullptr ? kFirstPieceBytes : kPieceBytes)) {
    return {};
  }
  HEADRACE_RETURN_IF_ERROR(check_piece());
  return guarded(doing_, Code::kUnavailable, [&] {
    write_piece();
    if (group_ends) end_group();
  });
}

Result<void> Writer::check_piece() const {
  for (const Column& column : columns_) {
    if (column.rows() == rows_) continue;
    return internal_error("{}: column '{}' got {} values in {} rows", doing_, column.info.name,
                          column.rows(), rows_);
  }
  return {};
}

void Writer::open_file() {
  parquet::schema::NodeVector nodes;
  for (const Column& column : columns_) nodes.push_back(schema_node(column.info));
  auto schema = std::static_pointer_cast<parquet::schema::GroupNode>(
      parquet::schema::GroupNode::Make("schema", parquet::Repetition::REQUIRED, nodes));
  auto metadata = std::make_shared<arrow::KeyValueMetadata>();
  for (const auto& [key, value] : metadata_) metadata->Append(key, value);
  file_ = parquet::ParquetFileWriter::Open(sink_, schema, properties_for(columns_),
                                           metadata_.empty() ? nullptr : metadata);
}

void Writer::write_piece() {
  if (file_ == nullptr) open_file();
  if (rows_ == 0) return;
  if (group_ == nullptr) group_ = file_->AppendBufferedRowGroup();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    write_column(group_->column(static_cast<int>(i)), columns_[i]);
    columns_[i].clear();
  }
  group_bytes_ += piece_bytes_ + rows_ * row_bytes_;
  piece_bytes_ = 0;
  rows_ = 0;
}

void Writer::end_group() {
  if (group_ != nullptr) group_->Close();
  group_ = nullptr;
  group_bytes_ = 0;
}

Result<void> Writer::close() {
  if (appended_ != 0) {
    return internal_error("{}: closed inside a row, after {} of {} values", doing_, appended_,
                          columns_.size());
  }
  HEADRACE_RETURN_IF_ERROR(check_piece());
  return guarded(doing_, Code::kUnavailable, [&] {
    write_piece();
    end_group();
    file_->Close();
    PARQUET_THROW_NOT_OK(sink_->Close());
  });
}

}  // namespace

Result<std::unique_ptr<ParquetWriter>> ParquetWriter::create(
    const std::string& path, const std::vector<ColumnInfo>& columns,
    const std::vector<std::pair<std::string, std::string>>& metadata) {
  std::unordered_set<std::string> names;
  for (const ColumnInfo& column : columns) {
    if (!names.insert(column.name).second) {
      return internal_error("creating {}: two columns are named '{}'", path, column.name);
    }
  }
  if (columns.empty()) return internal_error("creating {}: no columns", path);
  auto sink = arrow::io::FileOutputStream::Open(path);
  if (!sink.ok()) return from_arrow(sink.status(), "creating " + path, Code::kUnavailable);
  return std::make_unique<Writer>(path, *std::move(sink), columns, metadata);
}

}  // namespace headrace
