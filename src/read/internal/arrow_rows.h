// SPDX-License-Identifier: Apache-2.0
// Rows of record batches → documents and rejections.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <arrow/record_batch.h>
#include <arrow/type.h>

#include "headrace/result.h"

#include "read/reader.h"

namespace headrace::read {

// The way from the columns to one field.
struct FieldPath {
  int column = -1;                 // -1: there is no such field
  std::vector<std::string> names;  // below the column, through structs
};

// Single-threaded. `split`, `options` and `sink` outlive it.
class ArrowRows {
 public:
  ArrowRows(const Split& split, const ReadOptions& options, RecordSink& sink)
      : split_(split), options_(options), sink_(sink) {}

  // Looks the fields up in `schema`: that of the file, to ask for columns(); then that of the
  // batches. An error when two fields have the name of one that is asked for.
  Result<void> bind(const arrow::Schema& schema);
  // Columns that are read, ascending.
  std::vector<int> columns() const;

  // `first_row` is the number in the file of the batch's first row.
  Result<void> batch(const arrow::RecordBatch& batch, std::uint64_t first_row);
  Result<void> reject(std::uint64_t row, Rejection kind, std::string_view reason,
                      std::string detail, std::string_view bytes = {});

 private:
  struct Field {
    FieldPath path;
    std::string quoted_name;
  };

  Result<FieldPath> find_path(const arrow::Schema& schema, const std::string& path) const;
  Status doubled(const std::string& name, const std::string& path) const;
  // The array at the end of a path; nullptr when a struct on the way is null in this row.
  static const arrow::Array* resolve(const arrow::Array& column,
                                     const std::vector<std::string>& names, std::int64_t row);
  Result<void> row(std::int64_t row, std::uint64_t place);
  Result<void> drop(std::int64_t row, std::uint64_t place, std::string_view reason,
                    std::string_view what);
  void append_fields(std::int64_t row, std::string* json) const;

  const Split& split_;
  const ReadOptions& options_;
  RecordSink& sink_;
  FieldPath text_;
  std::vector<Field> fields_;
  std::vector<std::shared_ptr<arrow::Array>> columns_;
  Document document_;
};

}  // namespace headrace::read
