// SPDX-License-Identifier: Apache-2.0
// Parquet files → whole columns.
//
// Reads what the writer beside this file makes, and files of the same few types that others made
// (a score column from a notebook): flat columns, required or optional. A column is decoded page by
// page straight into the caller's vector, so the memory beyond it is one compressed column chunk.
//
// Files are not trusted. Page checksums are compared where a page has one, and what the library
// throws at a damaged length or header becomes an error of Code::kCorrupt that names file and
// column. A row count that the pages do not bear out is damage too.
#include <array>
#include <limits>
#include <optional>
#include <unordered_map>

#include <arrow/io/file.h>
#include <parquet/api/reader.h>

#include "headrace/result.h"

#include "base/error.h"
#include "base/suggest.h"
#include "record/internal/parquet_error.h"
#include "record/parquet_table.h"

namespace headrace {
namespace {

using record_internal::from_arrow;
using record_internal::guarded;

constexpr std::int64_t kBatch = 4096;

// Nothing for a type that this project has no use for.
std::optional<ColumnType> column_type(const parquet::ColumnDescriptor& column) {
  if (column.max_repetition_level() != 0 || column.max_definition_level() > 1) return std::nullopt;
  const auto& logical = column.logical_type();
  const bool plain = logical == nullptr || logical->is_none();
  const auto is_int = [&](bool is_signed) {
    if (logical == nullptr || !logical->is_int()) return false;
    return static_cast<const parquet::IntLogicalType&>(*logical).is_signed() == is_signed;
  };
  switch (column.physical_type()) {
    case parquet::Type::INT64:
      if (is_int(false)) return ColumnType::kUint64;
      return plain || is_int(true) ? std::optional(ColumnType::kInt64) : std::nullopt;
    case parquet::Type::INT32:
      return is_int(false) ? std::optional(ColumnType::kUint32) : std::nullopt;
    case parquet::Type::DOUBLE:
      return ColumnType::kDouble;
    case parquet::Type::BYTE_ARRAY:
      return plain || logical->is_string() || logical->is_JSON() || logical->is_enum()
                 ? std::optional(ColumnType::kString)
                 : std::nullopt;
    default:
      return std::nullopt;
  }
}

std::string_view type_name(ColumnType type) {
  switch (type) {
    case ColumnType::kUint64:
      return "uint64";
    case ColumnType::kUint32:
      return "uint32";
    case ColumnType::kInt64:
      return "int64";
    case ColumnType::kDouble:
      return "double";
    case ColumnType::kString:
      break;
  }
  return "string";
}

// Decodes one column chunk of `rows` rows and gives each value, null or not, to `append`.
template <class Typed, class Append>
void decode_chunk(parquet::ColumnReader& column, std::int64_t rows, const Append& append) {
  using Value = typename Typed::T;
  auto& reader = static_cast<Typed&>(column);
  const bool nullable = column.descr()->max_definition_level() == 1;
  std::array<std::int16_t, kBatch> levels;
  std::array<Value, kBatch> values;
  std::int64_t seen = 0;
  while (reader.HasNext()) {
    std::int64_t with_value = 0;
    const std::int64_t n = reader.ReadBatch(kBatch, nullable ? levels.data() : nullptr, nullptr,
                                            values.data(), &with_value);
    if (n <= 0) break;
    std::int64_t next = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const bool present = !nullable || levels[i] == 1;
      if (present && next == with_value) {
        throw parquet::ParquetException("fewer values than its levels announce");
      }
      append(present ? &values[next++] : nullptr);
    }
    seen += n;
  }
  if (seen != rows) {
    throw parquet::ParquetException("holds ", seen, " values where the footer says ", rows);
  }
}

class Reader final : public ParquetReader {
 public:
  Reader(std::string path, std::unique_ptr<parquet::ParquetFileReader> file)
      : path_(std::move(path)), file_(std::move(file)), metadata_(file_->metadata()) {}

  std::uint64_t rows() const override { return static_cast<std::uint64_t>(metadata_->num_rows()); }
  int row_groups() const override { return metadata_->num_row_groups(); }
  std::uint64_t row_group_rows(int group) const override { return group_rows_[group]; }
  std::vector<ColumnInfo> columns() const override;

  Result<void> read_uint64(std::string_view column, std::vector<std::uint64_t>* values) override {
    return read_all<parquet::Int64Reader>(column, ColumnType::kUint64, std::uint64_t{0}, values);
  }
  Result<void> read_uint32(std::string_view column, std::vector<std::uint32_t>* values) override {
    return read_all<parquet::Int32Reader>(column, ColumnType::kUint32, std::uint32_t{0}, values);
  }
  Result<void> read_int64(std::string_view column, std::vector<std::int64_t>* values) override {
    return read_all<parquet::Int64Reader>(column, ColumnType::kInt64, std::int64_t{0}, values);
  }
  Result<void> read_double(std::string_view column, std::vector<double>* values) override {
    return read_all<parquet::DoubleReader>(column, ColumnType::kDouble,
                                           std::numeric_limits<double>::quiet_NaN(), values);
  }
  Result<void> read_numbers(std::string_view column, std::vector<double>* values) override;
  Result<void> read_strings(std::string_view column, int group,
                            std::vector<std::string>* values) override;
  Result<void> read_codes(std::string_view column, std::vector<std::string>* dictionary,
                          std::vector<std::uint32_t>* codes) override;

  // Footer facts that later calls rely on; throws on a footer that contradicts itself.
  void check_footer();

 private:
  Result<int> find(std::string_view column, ColumnType type) const;
  std::string doing(std::string_view column) const {
    return fmt::format("reading column '{}' of {}", column, path_);
  }

  template <class Typed, class Value>
  Result<void> read_all(std::string_view column, ColumnType type, Value null,
                        std::vector<Value>* values) {
    HEADRACE_ASSIGN_OR_RETURN(const int index, find(column, type));
    return decode_all<Typed>(index, values, [&](const auto* value) {
      return value ? static_cast<Value>(*value) : null;
    });
  }

  // value_of(pointer, nullptr for null) of every value of a column whose type is known to be right.
  template <class Typed, class Value, class ValueOf>
  Result<void> decode_all(int index, std::vector<Value>* values, ValueOf value_of) {
    const std::size_t before = values->size();
    auto read = guarded(doing(metadata_->schema()->Column(index)->name()), Code::kCorrupt, [&] {
      for (int group = 0; group < row_groups(); ++group) {
        decode_chunk<Typed>(*file_->RowGroup(group)->Column(index),
                            static_cast<std::int64_t>(group_rows_[group]),
                            [&](const auto* value) { values->push_back(value_of(value)); });
      }
    });
    if (!read.has_value()) values->resize(before);
    return read;
  }

  const std::string path_;
  std::unique_ptr<parquet::ParquetFileReader> file_;
  std::shared_ptr<parquet::FileMetaData> metadata_;
  std::vector<std::uint64_t> group_rows_;
};

void Reader::check_footer() {
  std::int64_t sum = 0;
  for (int group = 0; group < row_groups(); ++group) {
    const std::int64_t rows = metadata_->RowGroup(group)->num_rows();
    if (rows < 0) throw parquet::ParquetException("a row group with ", rows, " rows");
    group_rows_.push_back(static_cast<std::uint64_t>(rows));
    if (__builtin_add_overflow(sum, rows, &sum)) {
      throw parquet::ParquetException("the row groups have too many rows");
    }
  }
  if (sum != metadata_->num_rows()) {
    throw parquet::ParquetException("the footer says ", metadata_->num_rows(),
                                    " rows, its row groups ", sum);
  }
}

std::vector<ColumnInfo> Reader::columns() const {
  std::vector<ColumnInfo> infos;
  const parquet::SchemaDescriptor& schema = *metadata_->schema();
  for (int i = 0; i < schema.num_columns(); ++i) {
    const parquet::ColumnDescriptor& column = *schema.Column(i);
    const auto type = column_type(column);
    if (!type.has_value()) continue;
    infos.push_back({column.path()->ToDotString(), *type, column.max_definition_level() == 1});
  }
  return infos;
}

Result<void> Reader::read_numbers(std::string_view name, std::vector<double>* values) {
  constexpr double kNull = std::numeric_limits<double>::quiet_NaN();
  const auto plain = [](const auto* value) { return value ? static_cast<double>(*value) : kNull; };
  const auto none_below_zero = [](const auto* value) {
    using Unsigned = std::make_unsigned_t<std::remove_cvref_t<decltype(*value)>>;
    return value ? static_cast<double>(static_cast<Unsigned>(*value)) : kNull;
  };
  const parquet::SchemaDescriptor& schema = *metadata_->schema();
  std::vector<std::string> names;
  for (int i = 0; i < schema.num_columns(); ++i) {
    const parquet::ColumnDescriptor& column = *schema.Column(i);
    names.push_back(column.path()->ToDotString());
    if (names.back() != name) continue;
    const auto& logical = column.logical_type();
    const bool is_int = logical != nullptr && logical->is_int();
    const bool is_signed =
        !is_int || static_cast<const parquet::IntLogicalType&>(*logical).is_signed();
    const bool is_number = logical == nullptr || logical->is_none() || is_int;
    if (column.max_repetition_level() == 0 && column.max_definition_level() <= 1 && is_number) {
      switch (column.physical_type()) {
        case parquet::Type::INT32:
          return is_signed ? decode_all<parquet::Int32Reader>(i, values, plain)
                           : decode_all<parquet::Int32Reader>(i, values, none_below_zero);
        case parquet::Type::INT64:
          return is_signed ? decode_all<parquet::Int64Reader>(i, values, plain)
                           : decode_all<parquet::Int64Reader>(i, values, none_below_zero);
        case parquet::Type::FLOAT:
          return decode_all<parquet::FloatReader>(i, values, plain);
        case parquet::Type::DOUBLE:
          return decode_all<parquet::DoubleReader>(i, values, plain);
        default:
          break;
      }
    }
    return invalid_argument("{}: its type is {} {}, asked for numbers", doing(name),
                            parquet::TypeToString(column.physical_type()),
                            logical == nullptr ? "" : logical->ToString());
  }
  return not_found("{}: there is no such column{}", doing(name), suggestion(name, names));
}

Result<int> Reader::find(std::string_view name, ColumnType type) const {
  const parquet::SchemaDescriptor& schema = *metadata_->schema();
  std::vector<std::string> names;
  for (int i = 0; i < schema.num_columns(); ++i) {
    const parquet::ColumnDescriptor& column = *schema.Column(i);
    names.push_back(column.path()->ToDotString());
    if (names.back() != name) continue;
    const auto found = column_type(column);
    if (found == type) return i;
    return invalid_argument(
        "{}: its type is {}, asked for {}", doing(name),
        found.has_value() ? std::string(type_name(*found))
                          : fmt::format("{} {}", parquet::TypeToString(column.physical_type()),
                                        column.logical_type()->ToString()),
        type_name(type));
  }
  return not_found("{}: there is no such column{}", doing(name), suggestion(name, names));
}

Result<void> Reader::read_strings(std::string_view column, int group,
                                  std::vector<std::string>* values) {
  HEADRACE_ASSIGN_OR_RETURN(const int index, find(column, ColumnType::kString));
  if (group < 0 || group >= row_groups()) {
    return invalid_argument("{}: row group {} of {}", doing(column), group, row_groups());
  }
  const std::size_t before = values->size();
  auto read = guarded(doing(column), Code::kCorrupt, [&] {
    decode_chunk<parquet::ByteArrayReader>(
        *file_->RowGroup(group)->Column(index), static_cast<std::int64_t>(group_rows_[group]),
        [&](const parquet::ByteArray* value) {
          if (value == nullptr) {
            values->emplace_back();
          } else {
            values->emplace_back(reinterpret_cast<const char*>(value->ptr), value->len);
          }
        });
  });
  if (!read.has_value()) values->resize(before);
  return read;
}

Result<void> Reader::read_codes(std::string_view column, std::vector<std::string>* dictionary,
                                std::vector<std::uint32_t>* codes) {
  HEADRACE_ASSIGN_OR_RETURN(const int index, find(column, ColumnType::kString));
  std::unordered_map<std::string, std::uint32_t> known;
  for (std::size_t i = 0; i < dictionary->size(); ++i)
    known.emplace((*dictionary)[i], static_cast<std::uint32_t>(i));
  const auto code_of = [&](std::string_view value) {
    const auto [entry, added] =
        known.emplace(value, static_cast<std::uint32_t>(dictionary->size()));
    if (added) dictionary->push_back(entry->first);
    return entry->second;
  };
  // Most neighbours are equal.
  std::string last;
  std::optional<std::uint32_t> last_code;
  const std::size_t before = codes->size();
  auto read = guarded(doing(column), Code::kCorrupt, [&] {
    for (int group = 0; group < row_groups(); ++group) {
      decode_chunk<parquet::ByteArrayReader>(
          *file_->RowGroup(group)->Column(index), static_cast<std::int64_t>(group_rows_[group]),
          [&](const parquet::ByteArray* value) {
            const std::string_view text =
                value == nullptr
                    ? std::string_view()
                    : std::string_view(reinterpret_cast<const char*>(value->ptr), value->len);
            if (!last_code || text != last) {
              last = text;
              last_code = code_of(text);
            }
            codes->push_back(*last_code);
          });
    }
  });
  if (!read.has_value()) codes->resize(before);
  return read;
}

}  // namespace

Result<std::unique_ptr<ParquetReader>> ParquetReader::open(const std::string& path) {
  const std::string doing = "opening " + path;
  auto source = arrow::io::ReadableFile::Open(path);
  if (!source.ok()) return from_arrow(source.status(), doing, Code::kUnavailable);
  std::unique_ptr<Reader> reader;
  HEADRACE_RETURN_IF_ERROR(guarded(doing, Code::kCorrupt, [&] {
    parquet::ReaderProperties properties;
    properties.set_page_checksum_verification(true);
    reader = std::make_unique<Reader>(
        path, parquet::ParquetFileReader::Open(*std::move(source), properties));
    reader->check_footer();
  }));
  return std::unique_ptr<ParquetReader>(std::move(reader));
}

}  // namespace headrace
