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
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "io/input_stream.h"
#include "io/uri.h"
#include "read/internal/csv_documents.h"
#include "read/internal/csv_rows.h"
#include "read/internal/file_encoding.h"
#include "read/internal/line_reader.h"
#include "read/internal/whole_file.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

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

// Lines → rows: a row goes on in the next line as long as a quote is open.
class CsvLines final : public LineVisitor {
 public:
  CsvLines(const ReadOptions& options, Newline newline, char separator, CsvDocuments& documents)
      : options_(options), newline_(newline), quotes_(separator, newline), documents_(documents) {}

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
      return documents_.put(row_);
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
    return documents_.finish(notes);
  }

  std::uint64_t blank_lines() const { return blank_lines_; }

 private:
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
    if (fault.empty() || row_.too_long) return documents_.put(row_);
    return documents_.quarantine(row_, fault, "the file ends inside a quoted field");
  }

  const ReadOptions& options_;
  const Newline newline_;
  CsvQuotes quotes_;
  CsvDocuments& documents_;
  bool open_ = false;  // the row at hand goes on in the next line
  CsvRow row_;
  std::string joined_;
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
    const char separator = tabs ? '\t' : ',';
    CsvDocuments documents(split, options_, encoding, separator, sink);
    CsvLines lines(options_, encoding.newline, separator, documents);
    HEADRACE_ASSIGN_OR_RETURN(ReadCounts counts,
                              read_lines(split, options_, encoding, lines, std::move(stop)));
    HEADRACE_RETURN_IF_ERROR(lines.finish_file(&counts.notes));
    counts.blank_lines = lines.blank_lines();
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
