// SPDX-License-Identifier: Apache-2.0
#include "read/internal/csv_documents.h"

#include <utility>

#include "base/error.h"
#include "read/internal/line_reader.h"

namespace headrace::read {
namespace {

constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

}  // namespace

CsvDocuments::CsvDocuments(const Split& split, const ReadOptions& options,
                           const FileEncoding& encoding, char separator, RecordSink& sink)
    : split_(split),
      options_(options),
      decoder_(encoding),
      fields_(separator),
      meta_(options),
      sink_(sink) {}

Result<void> CsvDocuments::put(const CsvRow& row) {
  header_is_all_ = false;
  if (row.too_long) {
    return reject(row, Rejection::kDrop, "record_too_long",
                  fmt::format("the row is longer than {} bytes", options_.max_record_bytes),
                  row.bytes.substr(0, kFrontBytes));
  }
  if (row.cut_off) return quarantine(row, "truncated", "the file is cut off inside this row");
  const RecordDecoder::Outcome decoded = decoder_.decode(row.bytes, row.offset);
  if (!decoded.reason.empty()) {
    if (!has_header_) bad_header_ = true;
    has_header_ = true;
    return quarantine(row, decoded.reason, decoded.detail);
  }
  const bool good = fields_.cut(strip_carriage_return(decoded.text));
  if (!has_header_) return take_header(row, good);
  if (bad_header_) return quarantine(row, "bad_header", "the names of the columns are not known");
  if (!good) {
    return quarantine(row, "bad_quotes",
                      fmt::format("line {}: a quoted field goes on behind its closing quote, at "
                                  "byte {} of the row",
                                  row.number, fields_.bad()));
  }
  if (fields_.fields().size() != names_.size()) {
    return quarantine(row, "ragged_row",
                      fmt::format("line {} has {} fields, the first row names {}", row.number,
                                  fields_.fields().size(), names_.size()));
  }
  return document(row);
}

Result<void> CsvDocuments::finish(std::vector<FileNote>* notes) {
  if (!header_is_all_ || bad_header_) return {};
  if (text_column_ != kNoColumn) {
    notes->push_back({"valid_empty", "the file names its columns and holds no row"});
    return {};
  }
  // What may be a document in a file without names is not passed over.
  header_.bytes = header_bytes_;
  return quarantine(header_, "bad_header",
                    fmt::format("the only row names no column '{}'", options_.text_field));
}

Result<void> CsvDocuments::take_header(const CsvRow& row, bool good) {
  has_header_ = true;
  bad_header_ = true;
  if (!good) return quarantine(row, "bad_header", "the first row's quotes do not match");
  for (const std::string_view name : fields_.fields()) {
    if (name.find('\r') == std::string_view::npos) continue;
    return quarantine(row, "bad_header",
                      "the first row holds a carriage return: lines that end in CR alone are not "
                      "told apart; convert them to LF");
  }
  for (const std::string_view name : fields_.fields()) {
    if (name == options_.text_field) {
      if (text_column_ != kNoColumn) {
        return quarantine(row, "bad_header",
                          fmt::format("two columns are named '{}': rename one, or ask for "
                                      "another",
                                      options_.text_field));
      }
      text_column_ = names_.size();
    }
    names_.emplace_back(name);
  }
  bad_header_ = false;
  header_is_all_ = true;
  header_ = row;
  header_bytes_ = row.bytes.substr(0, kFrontBytes);
  return {};
}

Result<void> CsvDocuments::document(const CsvRow& row) {
  meta_.start(&document_.meta);
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (i != text_column_) meta_.add(names_[i], fields_.fields()[i]);
  }
  meta_.finish();
  if (text_column_ == kNoColumn) {
    return reject(row, Rejection::kDrop, "text_missing",
                  fmt::format("there is no column '{}'", options_.text_field), document_.meta);
  }
  document_.id = DocumentId::make(split_.file, row.offset);
  document_.line = row.number;
  document_.text = fields_.fields()[text_column_];
  return sink_.document(document_);
}

Result<void> CsvDocuments::quarantine(const CsvRow& row, std::string_view reason,
                                      std::string detail) {
  return reject(row, Rejection::kQuarantine, reason, std::move(detail), row.bytes);
}

Result<void> CsvDocuments::reject(const CsvRow& row, Rejection kind, std::string_view reason,
                                  std::string detail, std::string_view bytes) {
  RejectedRecord record;
  record.kind = kind;
  record.reason = reason;
  record.detail = std::move(detail);
  record.offset = row.offset;
  record.line = row.number;
  record.bytes = bytes;
  return sink_.rejected(record);
}

}  // namespace headrace::read
