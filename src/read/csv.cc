// SPDX-License-Identifier: Apache-2.0
// Comma- and tab-separated values (RFC 4180): the first row names the columns, each other row is a
// document. One column is its text, the others are its meta, as strings: nothing is taken for a
// number, a date or a null.
//
// A quoted field may hold separators, doubled quotes and line ends, which stay as they are. So no
// place but the start of the file tells whether a newline ends a row, and a file is one split. A
// quote that does not close takes in what follows: that is set aside as one row, bounded by the
// limit on records. Rows whose fields are more or fewer than the columns are set aside. Empty lines
// are none, also in front of the names.
#include <utility>

#include "base/error.h"
#include "io/input_stream.h"
#include "io/uri.h"
#include "read/internal/csv_rows.h"
#include "read/internal/file_encoding.h"
#include "read/internal/line_reader.h"
#include "read/internal/meta_writer.h"
#include "read/internal/whole_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

constexpr std::size_t kFrontBytes = std::size_t{1} << 16;
constexpr std::size_t kNoColumn = std::string_view::npos;

// The bytes between two lines of a row.
std::string_view newline_of(Newline newline) {
  switch (newline) {
    case Newline::kUtf16Little:
      return {"\n\0", 2};
    case Newline::kUtf16Big:
      return {"\0\n", 2};
    case Newline::kByte:
      break;
  }
  return "\n";
}

bool is_empty_line(std::string_view line, Newline newline) {
  const std::string_view units("\0\r\0", 3);  // a carriage return in both orders of bytes
  switch (newline) {
    case Newline::kUtf16Little:
      return line.empty() || line == units.substr(1);
    case Newline::kUtf16Big:
      return line.empty() || line == units.substr(0, 2);
    case Newline::kByte:
      break;
  }
  return line.empty() || line == "\r";
}

class CsvDocuments final : public LineVisitor {
 public:
  CsvDocuments(const Split& split, const ReadOptions& options, const FileEncoding& encoding,
               char separator, RecordSink& sink)
      : split_(split),
        options_(options),
        newline_(encoding.newline),
        decoder_(encoding),
        quotes_(separator, encoding.newline),
        fields_(separator),
        meta_(options),
        sink_(sink) {}

  Result<void> line(const RawLine& line) override {
    if (!open_) {
      if (is_empty_line(line.bytes, newline_)) {
        ++blank_lines_;
        return {};
      }
      row_ = {.offset = line.offset, .number = line.number};
    }
    row_.cut_off = line.cut_off;
    row_.too_long = row_.too_long || line.too_long;
    // Of a line over the limit this may see the front only: the best there is.
    const bool ends = quotes_.ends_row(line.bytes);
    if (!open_ && ends) {
      row_.bytes = line.bytes;
      return put(row_);
    }
    append(line);
    if (!ends) {
      open_ = true;
      return {};
    }
    return finish("");
  }

  // Behind the last line: a row may be open.
  Result<void> finish_file(std::vector<FileNote>* notes) {
    if (open_) return finish(row_.cut_off ? "truncated" : "unclosed_quote");
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

  std::uint64_t blank_lines() const { return blank_lines_; }

 private:
  struct Row {
    std::string_view bytes;
    std::uint64_t offset = 0;
    std::uint64_t number = 0;
    bool cut_off = false;
    bool too_long = false;
  };

  void append(const RawLine& line) {
    if (!open_) {
      joined_.clear();
    } else if (!row_.too_long) {
      joined_ += newline_of(newline_);
    }
    if (row_.too_long) return;
    joined_ += line.bytes;
    // The quotes of a row over the limit are followed on, its bytes are not kept.
    if (joined_.size() > options_.max_record_bytes) {
      row_.too_long = true;
      joined_.resize(std::min(joined_.size(), kFrontBytes));
    }
  }

  Result<void> finish(std::string_view fault) {
    open_ = false;
    quotes_.reset();
    row_.bytes = joined_;
    if (fault.empty() || row_.too_long) return put(row_);
    return quarantine(row_, fault, "the file ends inside a quoted field");
  }

  Result<void> put(const Row& row) {
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

  Result<void> take_header(const Row& row, bool good) {
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

  Result<void> document(const Row& row) {
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

  Result<void> quarantine(const Row& row, std::string_view reason, std::string detail) {
    return reject(row, Rejection::kQuarantine, reason, std::move(detail), row.bytes);
  }

  Result<void> reject(const Row& row, Rejection kind, std::string_view reason, std::string detail,
                      std::string_view bytes) {
    RejectedRecord record;
    record.kind = kind;
    record.reason = reason;
    record.detail = std::move(detail);
    record.offset = row.offset;
    record.line = row.number;
    record.bytes = bytes;
    return sink_.rejected(record);
  }

  const Split& split_;
  const ReadOptions& options_;
  const Newline newline_;
  RecordDecoder decoder_;
  CsvQuotes quotes_;
  CsvFields fields_;
  MetaWriter meta_;
  RecordSink& sink_;
  bool has_header_ = false;
  bool bad_header_ = false;
  bool header_is_all_ = false;  // no row came behind it so far
  Row header_;
  std::string header_bytes_;
  std::vector<std::string> names_;
  std::size_t text_column_ = kNoColumn;
  bool open_ = false;  // the row at hand goes on in the next line
  Row row_;
  std::string joined_;
  Document document_;
  std::uint64_t blank_lines_ = 0;
};

class CsvReader final : public Reader {
 public:
  CsvReader(ReadOptions options, const DecoderFactory& decoders)
      : options_(std::move(options)), decoders_(decoders) {}

  Result<ReadCounts> read(const Split& split, RecordSink& sink,
                          std::stop_token stop) const override {
    HEADRACE_ASSIGN_OR_RETURN(const FileEncoding encoding,
                              decide_encoding(split.path, options_, decoders_));
    std::string_view name = io::without_query(split.path);
    name.remove_suffix(io::compression_extension(name).size());
    const bool tabs = name.ends_with(".tsv") || name.ends_with(".tab") || name.ends_with(".TSV");
    CsvDocuments rows(split, options_, encoding, tabs ? '\t' : ',', sink);
    HEADRACE_ASSIGN_OR_RETURN(ReadCounts counts,
                              read_lines(split, options_, encoding, rows, std::move(stop)));
    HEADRACE_RETURN_IF_ERROR(rows.finish_file(&counts.notes));
    counts.blank_lines = rows.blank_lines();
    return counts;
  }

 private:
  const ReadOptions options_;
  const DecoderFactory& decoders_;
};

Result<std::unique_ptr<Reader>> make_csv_reader(const ReadOptions& options,
                                                const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<CsvReader>(options, decoders);
}

}  // namespace

void register_csv(Registry& registry) {
  registry.add({"csv",
                {".csv", ".tsv", ".tab"},
                "comma- or tab-separated values: each row is a document, one column its text",
                make_csv_reader});
}

}  // namespace headrace::read
