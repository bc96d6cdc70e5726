// SPDX-License-Identifier: Apache-2.0
// Plain text: a file, a paragraph or a line is a document.
//
// Paragraphs are runs of lines between blank ones (white space of ASCII only); the line breaks
// inside one stay as they are. A line ends at '\n', and a '\r' in front of it is left out. Blank
// lines are no documents. Bytes that cannot be decoded cost the smallest unit asked for: the line,
// the paragraph or the file.
#include <algorithm>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "read/internal/file_encoding.h"
#include "read/internal/line_blocks.h"
#include "read/internal/line_reader.h"
#include "read/internal/text_pieces.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

// What is kept of a text that is over the limit.
constexpr std::size_t kFrontBytes = std::size_t{1} << 16;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;

class LineDocuments final : public LineVisitor {
 public:
  explicit LineDocuments(PieceSink& pieces) : pieces_(pieces) {}

  Result<void> line(const RawLine& line) override {
    HEADRACE_ASSIGN_OR_RETURN(
        const bool put,
        pieces_.put_line({line.bytes, line.offset, line.number, line.cut_off, line.too_long}));
    if (!put) ++blank_lines;
    return {};
  }

  std::uint64_t blank_lines = 0;

 private:
  PieceSink& pieces_;
};

// Blank before decoding: every unit is ASCII white space.
bool is_blank_raw(std::string_view line, Newline newline) {
  if (newline == Newline::kByte) return is_blank(line);
  const std::size_t high = newline == Newline::kUtf16Little ? 1 : 0;
  if (line.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < line.size(); i += 2) {
    if (line[i + high] != '\0' || !is_blank(line.substr(i + 1 - high, 1))) return false;
  }
  return true;
}

class ParagraphDocuments final : public LineVisitor {
 public:
  ParagraphDocuments(PieceSink& pieces, const ReadOptions& options, Newline newline)
      : pieces_(pieces), options_(options), newline_(newline) {}

  Result<void> line(const RawLine& line) override {
    if (!line.too_long && is_blank_raw(line.bytes, newline_)) {
      ++blank_lines;
      return finish();
    }
    if (!open_) {
      open_ = true;
      piece_ = {{}, line.offset, line.number, false, false};
      bytes_.clear();
    } else {
      // The break between two lines of one paragraph, as it stands in the file.
      if (newline_ == Newline::kUtf16Big) bytes_ += '\0';
      bytes_ += '\n';
      if (newline_ == Newline::kUtf16Little) bytes_ += '\0';
    }
    piece_.cut_off = line.cut_off;
    const std::uint64_t size = bytes_.size() + line.bytes.size();
    piece_.too_long = piece_.too_long || line.too_long || size > options_.max_record_bytes;
    if (!piece_.too_long) {
      bytes_ += line.bytes;
    } else if (bytes_.size() < kFrontBytes) {
      bytes_ += line.bytes.substr(0, kFrontBytes - bytes_.size());
    } else {
      bytes_.resize(kFrontBytes);
    }
    return {};
  }

  // Passes on the paragraph at hand.
  Result<void> finish() {
    if (!std::exchange(open_, false)) return {};
    std::string_view bytes = bytes_;
    // The last line's '\r', in whatever unit it comes.
    const std::string_view ending = newline_ == Newline::kByte ? std::string_view("\r", 1)
                                    : newline_ == Newline::kUtf16Little
                                        ? std::string_view("\r\0", 2)
                                        : std::string_view("\0\r", 2);
    if (!piece_.too_long && !piece_.cut_off && bytes.ends_with(ending)) {
      bytes.remove_suffix(ending.size());
    }
    piece_.bytes = bytes;
    return pieces_.put(piece_);
  }

  std::uint64_t blank_lines = 0;

 private:
  PieceSink& pieces_;
  const ReadOptions& options_;
  const Newline newline_;
  bool open_ = false;
  Piece piece_;
  std::string bytes_;
};

class PlainTextReader final : public Reader {
 public:
  PlainTextReader(ReadOptions options, const DecoderFactory& decoders)
      : options_(std::move(options)), decoders_(decoders) {}

  Result<std::vector<Split>> split(const std::string& path, std::uint64_t file,
                                   std::uint64_t target_bytes) const override {
    // A target of 0 never cuts.
    return split_lines(path, file, options_.documents == "line" ? target_bytes : 0, options_,
                       decoders_);
  }

  Result<ReadCounts> read(const Split& split, RecordSink& sink,
                          std::stop_token stop) const override {
    HEADRACE_ASSIGN_OR_RETURN(const FileEncoding encoding,
                              decide_encoding(split.path, options_, decoders_));
    PieceSink pieces(split, options_, encoding, sink);
    if (options_.documents == "file") return read_file(split, encoding, pieces, stop);
    if (options_.documents == "line") {
      LineDocuments lines(pieces);
      HEADRACE_ASSIGN_OR_RETURN(ReadCounts counts,
                                read_lines(split, options_, encoding, lines, std::move(stop)));
      counts.blank_lines = lines.blank_lines;
      return counts;
    }
    ParagraphDocuments paragraphs(pieces, options_, encoding.newline);
    HEADRACE_ASSIGN_OR_RETURN(ReadCounts counts,
                              read_lines(split, options_, encoding, paragraphs, std::move(stop)));
    HEADRACE_RETURN_IF_ERROR(paragraphs.finish());
    counts.blank_lines = paragraphs.blank_lines;
    return counts;
  }

 private:
  // Beyond the limit the file is read on for its end and its counts, not kept.
  Result<ReadCounts> read_file(const Split& split, const FileEncoding& encoding, PieceSink& pieces,
                               const std::stop_token& stop) const {
    HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<io::InputStream> stream,
                              io::open_input(split.path));
    ReadCounts counts;
    counts.encoding = encoding.name;
    counts.notes = encoding.notes;
    std::string bytes;
    std::string block(kReadBytes, '\0');
    bool ends_with_newline = true;
    for (;;) {
      if (stop.stop_requested()) return cancelled("reading {} was stopped", split.path);
      HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, stream->read(block.data(), block.size()));
      if (got == 0) break;
      const std::string_view piece(block.data(), got);
      counts.bytes += got;
      counts.lines += static_cast<std::uint64_t>(std::count(piece.begin(), piece.end(), '\n'));
      ends_with_newline = piece.ends_with('\n');
      if (counts.bytes <= encoding.mark_bytes + options_.max_record_bytes) {
        bytes += piece;
      } else if (bytes.size() < kFrontBytes) {
        bytes += piece.substr(0, kFrontBytes - bytes.size());
      }
    }
    if (!ends_with_newline) ++counts.lines;
    note_end(split, counts.bytes, stream->end(), stream->end_detail(), &counts.notes);
    const bool damaged =
        stream->end() == io::StreamEnd::kTruncated || stream->end() == io::StreamEnd::kCorrupt;
    if (counts.bytes == 0) return counts;
    const std::size_t mark = std::min(encoding.mark_bytes, bytes.size());
    HEADRACE_RETURN_IF_ERROR(
        pieces.put({.bytes = std::string_view(bytes).substr(mark),
                    .offset = 0,
                    .line = 1,
                    .cut_off = damaged,
                    .too_long = counts.bytes - mark > options_.max_record_bytes}));
    return counts;
  }

  const ReadOptions options_;
  const DecoderFactory& decoders_;
};

Result<std::unique_ptr<Reader>> make_plain_text_reader(const ReadOptions& options,
                                                       const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  if (options.documents != "file" && options.documents != "paragraph" &&
      options.documents != "line") {
    return invalid_argument("documents: '{}' is none of file, paragraph, line", options.documents);
  }
  return std::make_unique<PlainTextReader>(options, decoders);
}

}  // namespace

void register_plain_text(Registry& registry) {
  registry.add({"text",
                {".txt", ".text", ".md"},
                "plain text: each file, paragraph or line is a document; plain or compressed",
                make_plain_text_reader});
}

}  // namespace headrace::read
