// SPDX-License-Identifier: Apache-2.0
// Parquet files of a few typed columns, without Arrow in sight of who uses them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace {

enum class ColumnType { kUint64, kUint32, kInt64, kDouble, kString };

struct ColumnInfo {
  std::string name;
  ColumnType type = ColumnType::kDouble;
  bool nullable = false;  // kDouble: NaN is written as null; others: see append_null
};

// Writes rows column by column; row groups are cut near 64 MiB of buffered values, at the same rows
// on every machine. zstd level 1. The same rows give the same bytes. Each value belongs to the
// column's type, and nulls to nullable columns: anything else is the caller's mistake.
// Single-threaded.
class ParquetWriter {
 public:
  // `metadata`: key-value pairs of the file footer.
  static Result<std::unique_ptr<ParquetWriter>> create(
      const std::string& path, const std::vector<ColumnInfo>& columns,
      const std::vector<std::pair<std::string, std::string>>& metadata = {});
  virtual ~ParquetWriter() = default;

  virtual void append_uint64(std::size_t column, std::uint64_t value) = 0;
  virtual void append_uint32(std::size_t column, std::uint32_t value) = 0;
  virtual void append_int64(std::size_t column, std::int64_t value) = 0;
  virtual void append_double(std::size_t column, double value) = 0;
  virtual void append_string(std::size_t column, std::string_view value) = 0;
  virtual void append_null(std::size_t column) = 0;
  // Every column has got one value. An error when a string has more than 1 GiB (kUnsupported) or
  // the disk refuses; the writer is of no use after an error.
  virtual Result<void> end_row() = 0;
  // Writes the footer. The file is not flushed to disk: the caller commits it. A writer that is
  // destroyed without it leaves a file that no reader opens.
  virtual Result<void> close() = 0;
};

// Reads whole columns. Thread-compatible.
class ParquetReader {
 public:
  static Result<std::unique_ptr<ParquetReader>> open(const std::string& path);
  virtual ~ParquetReader() = default;

  virtual std::uint64_t rows() const = 0;
  virtual int row_groups() const = 0;
  virtual std::uint64_t row_group_rows(int group) const = 0;
  // Columns of the types above; others, and nested ones, are left out.
  virtual std::vector<ColumnInfo> columns() const = 0;

  // Appends all values of a column; nulls: NaN for doubles, 0 for integers, "" for strings. A
  // missing column (not_found) or another type (invalid_argument) is an error that names it; so is
  // damage (corrupt). After an error the vector is as it was.
  virtual Result<void> read_uint64(std::string_view column, std::vector<std::uint64_t>* values) = 0;
  virtual Result<void> read_uint32(std::string_view column, std::vector<std::uint32_t>* values) = 0;
  virtual Result<void> read_int64(std::string_view column, std::vector<std::int64_t>* values) = 0;
  virtual Result<void> read_double(std::string_view column, std::vector<double>* values) = 0;
  // Any flat column of numbers (integers, float, double) as doubles; null: NaN.
  virtual Result<void> read_numbers(std::string_view column, std::vector<double>* values) = 0;
  // Strings of one row group, so that text need not fit in memory.
  virtual Result<void> read_strings(std::string_view column, int group,
                                    std::vector<std::string>* values) = 0;
  // Appends a number for each string of a column of few distinct ones: its index in `dictionary`,
  // which grows by those that it lacks. Null is "".
  virtual Result<void> read_codes(std::string_view column, std::vector<std::string>* dictionary,
                                  std::vector<std::uint32_t>* codes) = 0;
};

}  // namespace headrace
