// SPDX-License-Identifier: Apache-2.0
// JSON Lines: one object a line, plain or compressed.
//
// Only '\n' ends a line: U+2028, U+2029 and U+0085 inside strings are text, and '\r' in front of it
// is white space. A line is a whole or nothing: two objects on one line are set aside together,
// never one of them taken. A last line without a newline counts like any other; when it is the
// front of an object that does not end, the file was cut off there.
//
// Blocks of whole lines go through the first stage of the parser at once; only a block with a bad
// line is taken line by line (see internal/json_record.cc).
#include <utility>

#include "base/error.h"
#include "read/internal/file_encoding.h"
#include "read/internal/json_record.h"
#include "read/internal/json_text.h"
#include "read/internal/line_reader.h"
#include "read/reader.h"

namespace headrace::read {
namespace {

// What is kept of a rejected line that is over the limit.
constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

class JsonLines final : public LineVisitor {
 public:
  JsonLines(const Split& split, const ReadOptions& options, const FileEncoding& encoding,
            RecordSink& sink)
      : split_(split), options_(options), decoder_(encoding), records_(options), sink_(sink) {
    by_block_ = !decoder_.changes_bytes() && !encoding.undetermined;
  }

  void begin_block(std::string_view bytes) override {
    block_indexed_ = by_block_ && records_.index(bytes);
  }

  Result<void> line(const RawLine& line) override {
    if (line.too_long) {
      return reject(line, Rejection::kDrop, "record_too_long",
                    fmt::format("the line is longer than {} bytes", options_.max_record_bytes));
    }
    std::string_view text = line.bytes;
    if (!block_indexed_) {
      const RecordDecoder::Outcome decoded = decoder_.decode(line.bytes, line.offset);
      if (!decoded.reason.empty()) {
        if (!line.terminated && (line.cut_off || is_utf8_cut_short(line.bytes))) {
          return reject_cut_off(line);
        }
        return reject(line, Rejection::kQuarantine, decoded.reason, decoded.detail);
      }
      text = decoded.text;
      if (!records_.index(text)) return reject_not_json(line, text, records_.index_fault(), 0);
    }
    const RecordState state = records_.record(text, &document_.text, &document_.meta);
    if (state != RecordState::kDocument) return reject_state(line, text, state);
    document_.id = DocumentId::make(split_.file, line.offset);
    document_.line = line.number;
    return sink_.document(document_);
  }

  std::uint64_t blank_lines() const { return blank_lines_; }
  std::vector<FileNote> take_notes() { return std::move(notes_); }

 private:
  Result<void> reject_state(const RawLine& line, std::string_view text, RecordState state) {
    const auto field = [&] { return fmt::format("the field '{}'", options_.text_field); };
    switch (state) {
      case RecordState::kBlank:
        ++blank_lines_;
        return {};
      case RecordState::kDocument:
      case RecordState::kNotJson:
        return reject_not_json(line, text, records_.fault(), records_.fault_offset());
      case RecordState::kUnpairedSurrogate:
        return reject(
            line, Rejection::kQuarantine, "unpaired_surrogate",
            fmt::format("{}, at byte {} of the line", records_.fault(), records_.fault_offset()));
      case RecordState::kNotAnObject:
        return reject(line, Rejection::kDrop, "not_an_object", std::string(records_.fault()));
      case RecordState::kTextMissing:
        return reject(line, Rejection::kDrop, "text_missing", field() + " is not there");
      case RecordState::kTextNull:
        return reject(line, Rejection::kDrop, "text_null", field() + " is null");
      case RecordState::kTextNotString:
        return reject(line, Rejection::kDrop, "text_not_string", field() + " is not a string");
    }
    return {};
  }

  Result<void> reject_not_json(const RawLine& line, std::string_view text, std::string_view fault,
                               std::size_t fault_offset) {
    if (!line.terminated && (line.cut_off || is_cut_off_object(text))) {
      return reject_cut_off(line);
    }
    return reject(line, Rejection::kQuarantine, "not_json",
                  fmt::format("{}, at byte {} of the line", fault, fault_offset));
  }

  // A damaged archive is noted with its compressed offset by read_lines().
  Result<void> reject_cut_off(const RawLine& line) {
    const std::string detail =
        fmt::format("the file ends at offset {} inside the record that starts at offset {}",
                    line.offset + line.bytes.size(), line.offset);
    if (!line.cut_off) notes_.push_back({"truncated", detail});
    return reject(line, Rejection::kQuarantine, "truncated", detail);
  }

  Result<void> reject(const RawLine& line, Rejection kind, std::string_view reason,
                      std::string detail) {
    RejectedRecord record;
    record.kind = kind;
    record.reason = reason;
    record.detail = std::move(detail);
    record.offset = line.offset;
    record.line = line.number;
    record.bytes = line.too_long ? line.bytes.substr(0, kFrontBytes) : line.bytes;
    return sink_.rejected(record);
  }

  const Split& split_;
  const ReadOptions& options_;
  RecordDecoder decoder_;
  JsonRecords records_;
  RecordSink& sink_;
  bool by_block_ = false;
  bool block_indexed_ = false;
  Document document_;
  std::uint64_t blank_lines_ = 0;
  std::vector<FileNote> notes_;
};

class JsonlReader final : public Reader {
 public:
  JsonlReader(ReadOptions options, const DecoderFactory& decoders)
      : options_(std::move(options)), decoders_(decoders) {}

  Result<std::vector<Split>> split(const std::string& path, std::uint64_t file,
                                   std::uint64_t target_bytes) const override {
    return split_lines(path, file, target_bytes, options_, decoders_);
  }

  Result<ReadCounts> read(const Split& split, RecordSink& sink,
                          std::stop_token stop) const override {
    HEADRACE_ASSIGN_OR_RETURN(const FileEncoding encoding,
                              decide_encoding(split.path, options_, decoders_));
    JsonLines lines(split, options_, encoding, sink);
    HEADRACE_ASSIGN_OR_RETURN(ReadCounts counts,
                              read_lines(split, options_, encoding, lines, std::move(stop)));
    counts.blank_lines = lines.blank_lines();
    for (FileNote& note : lines.take_notes()) counts.notes.push_back(std::move(note));
    return counts;
  }

 private:
  const ReadOptions options_;
  const DecoderFactory& decoders_;
};

Result<std::unique_ptr<Reader>> make_jsonl_reader(const ReadOptions& options,
                                                  const DecoderFactory& decoders) {
  HEADRACE_RETURN_IF_ERROR(check_options(options, decoders));
  return std::make_unique<JsonlReader>(options, decoders);
}

}  // namespace

void register_jsonl(Registry& registry) {
  registry.add({"jsonl",
                {".jsonl", ".ndjson", ".json"},
                "JSON Lines: one object a line; plain or compressed",
                make_jsonl_reader});
}

}  // namespace headrace::read
