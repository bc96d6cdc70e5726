// SPDX-License-Identifier: Apache-2.0
// Any bytes as rows of comma-separated values, against a parser of a page that goes by characters.
//
// Every row that it sees must be told: as the header, a document with the same fields, or as
// rejected; in order, and none besides. The target's encoding is UTF-8; bytes that are not are
// rejected with their row.
#include <cstdint>
#include <simdjson.h>
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "read/reader.h"
#include "streams.h"

namespace {

using headrace::Result;
using headrace::fuzz::check;

class Utf8Decoder final : public headrace::TextDecoder {
 public:
  std::string_view encoding() const override { return "utf-8"; }
  bool cuts_at_newline_bytes() const override { return true; }
  Result<void> decode(std::string_view bytes, std::string* text) const override {
    if (!simdjson::validate_utf8(bytes.data(), bytes.size())) {
      return headrace::Status(headrace::Code::kCorrupt, "not UTF-8");
    }
    *text = bytes;
    return {};
  }
};

class Utf8Decoders final : public headrace::DecoderFactory {
 public:
  Result<std::shared_ptr<const headrace::TextDecoder>> declared(std::string_view) const override {
    return std::make_shared<Utf8Decoder>();
  }
  headrace::EncodingEvidence detect(std::string_view,
                                    const headrace::EncodingHints&) const override {
    return {};
  }
};

struct Told {
  std::uint64_t offset = 0;
  bool is_document = false;
  std::string text;
  std::string reason;
};

class ListSink final : public headrace::read::RecordSink {
 public:
  Result<void> document(headrace::Document& document) override {
    told.push_back({document.id.place(), true, std::string(document.text), ""});
    metas.push_back(document.meta);
    return {};
  }
  Result<void> rejected(const headrace::RejectedRecord& record) override {
    told.push_back({record.offset, false, "", std::string(record.reason)});
    return {};
  }
  std::vector<Told> told;
  std::vector<std::string> metas;
};

struct Row {
  std::uint64_t offset = 0;
  std::vector<std::string> fields;
  bool bad_quotes = false;
  bool open = false;  // the file ends inside a quoted field
};

// A row ends at a line feed outside of quotes, a carriage return in front of it is dropped; a line
// without a character between rows is none.
std::vector<Row> parse(std::string_view bytes) {
  std::vector<Row> rows;
  std::size_t at = 0;
  while (at < bytes.size()) {
    if (bytes[at] == '\n' || bytes.substr(at).starts_with("\r\n") || bytes.substr(at) == "\r") {
      at += bytes[at] == '\r' ? 2 : 1;
      continue;
    }
    Row row{.offset = at};
    for (bool more = true; more;) {
      std::string field;
      bool quoted = at < bytes.size() && bytes[at] == '"';
      if (quoted) {
        ++at;
        for (;; ++at) {
          if (at >= bytes.size()) {
            row.open = true;
            break;
          }
          if (bytes[at] == '"') {
            if (!bytes.substr(at + 1).starts_with('"')) break;
            ++at;
          }
          field += bytes[at];
        }
        ++at;
      }
      std::string tail;
      while (at < bytes.size() && bytes[at] != ',' && bytes[at] != '\n') tail += bytes[at++];
      const bool ends = at >= bytes.size() || bytes[at] == '\n';
      if (ends && tail.ends_with('\r')) tail.pop_back();
      if (quoted && !tail.empty()) {
        row.bad_quotes = true;
        // Behind such a field quotes count on as the reader has it: see CsvQuotes.
      }
      row.fields.push_back(field + tail);
      more = !ends;
      ++at;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes = headrace::fuzz::as_text(data, size);
  const headrace::fuzz::InputFile file(".csv", bytes);
  static const Utf8Decoders decoders;
  const auto reader = headrace::read::registry().find("csv")->make({.encoding = "utf-8"}, decoders);
  check(reader.has_value(), "a reader is made");
  const auto splits = (*reader)->split(file.path(), 0, 1);
  check(splits.has_value() && splits->size() == 1, "a file is one split");
  ListSink sink;
  const auto counts = (*reader)->read((*splits)[0], sink, {});
  check(counts.has_value(), "damage is no error");
  if (headrace::io::codec_of(bytes) != headrace::io::Codec::kNone) return 0;
  check(counts->bytes == size, "every byte was looked at");
  for (std::size_t i = 1; i < sink.told.size(); ++i) {
    check(sink.told[i - 1].offset < sink.told[i].offset, "rows come in order, each once");
  }
  for (const std::string& meta : sink.metas) {
    static simdjson::dom::parser parser;
    if (!meta.empty()) check(parser.parse(meta).error() == simdjson::SUCCESS, "meta is JSON");
  }
  if (bytes.starts_with("\xEF\xBB\xBF")) return 0;
  // The plain parser knows nothing of a quoted field that goes on behind its closing quote.
  const std::vector<Row> rows = parse(bytes);
  for (const Row& row : rows) {
    if (row.bad_quotes) return 0;
  }
  if (rows.empty()) {
    check(sink.told.empty(), "no row is told where there is none");
    return 0;
  }
  const bool has_header = sink.told.empty() || sink.told[0].offset != rows[0].offset;
  check(sink.told.size() + (has_header ? 1 : 0) == rows.size(), "every row is told");
  for (std::size_t i = 0; i < sink.told.size(); ++i) {
    const Row& row = rows[i + (has_header ? 1 : 0)];
    const Told& told = sink.told[i];
    check(told.offset == row.offset, "a row is told where it stands");
    if (row.open) check(told.reason == "unclosed_quote", "an open quote is told");
    if (!told.is_document) continue;
    check(row.fields.size() == rows[0].fields.size(), "a document has all fields");
    bool found = false;
    for (std::size_t k = 0; k < row.fields.size(); ++k) {
      if (rows[0].fields[k] != "text") continue;
      found = found || told.text == row.fields[k];
    }
    check(found, "a document's text is its field");
  }
  return 0;
}
