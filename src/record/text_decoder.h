// SPDX-License-Identifier: Apache-2.0
// Bytes of some encoding → UTF-8. `read` needs it, `normalize` implements it, and neither includes
// the other: the driver hands it in.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

namespace headrace {

// What is known about the encoding of one file.
struct EncodingEvidence {
  std::string encoding;  // "utf-8", "gb18030", "big5", "utf-16le", "utf-16be"; "" when undetermined
  double confidence = 0;  // 0 to 1; 1 for a BOM or a declaration in the recipe
  std::string why;        // "declared", "byte order mark", "valid UTF-8", "detected" ...
  std::vector<std::string> candidates;  // when undetermined: what it may be, most likely first
  std::string declared;  // what a header or the markup said, as it was written; "" if nothing did
};

// What came with the bytes. None of it is trusted: a declaration is one piece of evidence.
struct EncodingHints {
  bool whole = false;         // the head is all there is
  std::string_view declared;  // the charset that a protocol header names; "" if none
  bool markup = false;        // HTML or XML: what it declares itself counts as well
};

// Decodes one encoding, strictly: no replacement characters are ever made up. Thread-safe.
class TextDecoder {
 public:
  virtual ~TextDecoder() = default;

  // Canonical lower-case name of the encoding.
  virtual std::string_view encoding() const = 0;

  // True if '\n' is the byte 0x0A and that byte is never a part of another character (UTF-8,
  // GB18030, Big5), so that lines may be cut before decoding. False for UTF-16.
  virtual bool cuts_at_newline_bytes() const = 0;

  // Decodes all of `bytes` (a whole line, record or file) into `text`, replacing what it held. On
  // bytes that are not valid: an error of Code::kCorrupt that names the offset of the first bad
  // byte and what it is; `text` is then empty. A byte order mark at the start is decoded like
  // any other character (U+FEFF): skip it before by byte_order_mark_length.
  virtual Result<void> decode(std::string_view bytes, std::string* text) const = 0;

  // Offset of the first byte that decode() refuses (the first byte of the bad sequence), or
  // bytes.size() if it takes them all. For reports: call it after decode() has failed.
  virtual std::size_t first_bad_byte(std::string_view bytes) const {
    (void)bytes;
    return 0;
  }
};

// Length in bytes of a byte order mark at the start of `bytes` (0 if none): UTF-8 3, UTF-16 2,
// UTF-32 and GB18030 4.
std::size_t byte_order_mark_length(std::string_view bytes);

// Chooses decoders. Thread-safe.
class DecoderFactory {
 public:
  virtual ~DecoderFactory() = default;

  // The decoder for a declared encoding name (any usual spelling: "GBK", "utf8", "cp936");
  // invalid_argument if unknown.
  virtual Result<std::shared_ptr<const TextDecoder>> declared(std::string_view name) const = 0;

  // Looks at the first bytes of a file (up to 1 MiB) or at one page and says what they are.
  // Evidence in order: byte order mark, valid UTF-8, declarations, detector.
  virtual EncodingEvidence detect(std::string_view head, const EncodingHints& hints) const = 0;
};

}  // namespace headrace
