// SPDX-License-Identifier: Apache-2.0
// Rows of a CSV file → documents: the first row names the columns, each other row is a document or
// is set aside.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "read/internal/csv_rows.h"
#include "read/internal/file_encoding.h"
#include "read/internal/meta_writer.h"
#include "read/reader.h"

namespace headrace::read {

// A row as it stands in the file.
struct CsvRow {
  std::string_view bytes;  // of one over the limit: its front
  std::uint64_t offset = 0;
  std::uint64_t number = 0;  // of its first line
  bool cut_off = false;
  bool too_long = false;
};

// Single-threaded. `split`, `options` and `sink` outlive it.
class CsvDocuments {
 public:
  CsvDocuments(const Split& split, const ReadOptions& options, const FileEncoding& encoding,
               char separator, RecordSink& sink);

  Result<void> put(const CsvRow& row);
  Result<void> quarantine(const CsvRow& row, std::string_view reason, std::string detail);
  // Behind the last row.
  Result<void> finish(std::vector<FileNote>* notes);

 private:
  static constexpr std::size_t kNoColumn = std::string_view::npos;

  Result<void> take_header(const CsvRow& row, bool good);
  Result<void> document(const CsvRow& row);
  Result<void> reject(const CsvRow& row, Rejection kind, std::string_view reason,
                      std::string detail, std::string_view bytes);

  const Split& split_;
  const ReadOptions& options_;
  RecordDecoder decoder_;
  CsvFields fields_;
  MetaWriter meta_;
  RecordSink& sink_;
  bool has_header_ = false;
  bool bad_header_ = false;
  bool header_is_all_ = false;  // no row came behind it so far
  CsvRow header_;
  std::string header_bytes_;
  std::vector<std::string> names_;
  std::size_t text_column_ = kNoColumn;
  Document document_;
};

}  // namespace headrace::read
