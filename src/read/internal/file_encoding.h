// SPDX-License-Identifier: Apache-2.0
// Which encoding one file has, decided once from its head, and its records → UTF-8.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "read/reader.h"

namespace headrace::read {

// How a line ends in the raw bytes.
enum class Newline { kByte, kUtf16Little, kUtf16Big };

struct FileEncoding {
  std::string name = "utf-8";                  // "" when undetermined
  std::shared_ptr<const TextDecoder> decoder;  // nullptr: UTF-8, or undetermined
  Newline newline = Newline::kByte;
  std::size_t mark_bytes = 0;   // byte order mark at the start of the file
  bool undetermined = false;    // only records of plain ASCII may pass
  bool shifts = false;          // and of these, only those without escape sequences
  bool detected = false;        // by statistics: neither declared nor marked nor UTF-8
  std::string detail;           // why, for notes and rejections
  std::string suspicion;        // of damaged UTF-8: what it may be instead
  std::vector<FileNote> notes;  // for the reader of the file's first split
};

// The same answer for every split of a file. `path` may be compressed.
Result<FileEncoding> decide_encoding(const std::string& path, const ReadOptions& options,
                                     const DecoderFactory& decoders);

// The encoding of one piece of text of its own, a page or a member of an archive; hints.whole says
// that `head` is all of it.
Result<FileEncoding> decide_encoding_of(std::string_view head, const EncodingHints& hints,
                                        const ReadOptions& options, const DecoderFactory& decoders);

// Decodes records of one file. Single-threaded.
class RecordDecoder {
 public:
  explicit RecordDecoder(const FileEncoding& encoding) : encoding_(encoding) {}

  // True if decode() may give other bytes than it got.
  bool changes_bytes() const { return encoding_.decoder != nullptr; }

  struct Outcome {
    std::string_view text;    // UTF-8, valid until the next call
    std::string_view reason;  // not "": the record is quarantined under it
    std::string detail;
  };
  // `offset` is where the record stands in the decompressed file.
  Outcome decode(std::string_view bytes, std::uint64_t offset);

 private:
  const FileEncoding& encoding_;
  std::string text_;
};

// Where the first byte stands that is not UTF-8; npos if all are.
std::size_t first_invalid_utf8(std::string_view bytes);
// Whether the bytes end in the middle of a character and are UTF-8 up to it.
bool is_utf8_cut_short(std::string_view bytes);

}  // namespace headrace::read
