// SPDX-License-Identifier: Apache-2.0
// What flows through the offline half: a document and where it came from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headrace {

// Provenance, not content: the input file's ordinal (24 bits) and the record's place in it (40
// bits). The place is the byte offset of the record in the decompressed file, or the row number
// where a format has no bytes of its own (Parquet). Offsets need no counting pass, so a file can be
// cut anywhere and every piece names its records at once. Persistent: run directories hold these 64
// bits.
struct DocumentId {
  static constexpr int kPlaceBits = 40;
  static constexpr std::uint64_t kMaxFiles = std::uint64_t{1} << 24;
  static constexpr std::uint64_t kMaxPlace = (std::uint64_t{1} << kPlaceBits) - 1;

  std::uint64_t value = 0;

  static constexpr DocumentId make(std::uint64_t file, std::uint64_t place) {
    return {(file << kPlaceBits) | place};
  }
  constexpr std::uint64_t file() const { return value >> kPlaceBits; }
  constexpr std::uint64_t place() const { return value & kMaxPlace; }
  auto operator<=>(const DocumentId&) const = default;
};

// "12:48213": file ordinal and place. How ids look wherever a person or JSON meets them: a 64-bit
// number does not survive JavaScript or jq.
std::string to_string(DocumentId id);

// Parses "12:48213" or a plain unsigned number. Returns false when `text` is neither.
bool parse_document_id(std::string_view text, DocumentId* id);

// What a text is written in, as far as its reader knows. A step that removes markup acts on kHtml,
// and on kUnknown only when the text itself begins as a page does: a plain text never loses a "<".
enum class Markup : std::uint8_t { kUnknown, kPlain, kHtml };

// One document. Readers fill it, normalizers change its text, everything after looks at it.
// The buffers are reused from one document to the next: copy what must outlive the call that
// received it.
struct Document {
  DocumentId id;
  std::string text;  // UTF-8 once it has left the reader
  std::string meta;  // the other fields of the record as one JSON object, values byte for byte as
                     // they were; or ""
  std::uint64_t line = 0;  // line inside the split, from 1; 0 where a format has no lines
  Markup markup = Markup::kUnknown;
};

// Why a reader could not make a document, before any rule looked at it.
enum class Rejection : std::uint8_t {
  kQuarantine,  // the bytes cannot be decoded or parsed: they are set aside as they are
  kDrop,        // the record parses but has no usable text: dropped under `reason`
};

// A record that did not become a document. `bytes` may be cut to a stated limit by whoever stores
// it.
struct RejectedRecord {
  Rejection kind = Rejection::kQuarantine;
  std::string_view reason;   // stable name: "invalid_utf8", "not_json", "text_missing" ...
  std::string detail;        // one sentence for people: what was found, where
  std::uint64_t offset = 0;  // byte offset in the decompressed file (row number for Parquet)
  std::uint64_t line = 0;    // line inside the split, from 1; 0 where a format has no lines
  std::string_view bytes;    // the raw record; valid during the call
};

}  // namespace headrace
