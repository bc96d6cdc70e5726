// SPDX-License-Identifier: Apache-2.0
// Files → documents. A reader is one .cc per format; it can cut a file into splits and read one
// split.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "headrace/result.h"

#include "base/options.h"
#include "base/registry.h"
#include "record/document.h"
#include "record/text_decoder.h"

namespace headrace::read {

// A piece of one input file, read by one task. Bytes for formats with bytes (of the file as it lies
// on disk), row groups for Parquet.
struct Split {
  std::string path;
  std::uint64_t file = 0;  // ordinal of the file in the run; becomes the high bits of every id
  std::uint64_t begin = 0;
  std::uint64_t end = 0;    // exclusive
  std::uint64_t bytes = 0;  // what it weighs when tasks are made: bytes on disk
  // Where `begin` and `end` stand in the decompressed file, for formats whose compressed files are
  // cut at frames or members; 0 at the start and the end of a file.
  std::uint64_t decompressed_begin = 0;
  std::uint64_t decompressed_end = 0;
};

// Affects results: all of it.
struct ReadOptions {
  std::string text_field = "text";  // where the text stands in a record; dotted path ("a.b.text")
  std::vector<std::string> keep;    // other fields to carry along (dotted paths)
  bool keep_all = true;             // carry every other field; `keep` is then empty
  std::string documents = "file";   // plain text: file | paragraph | line
  std::string encoding = "auto";    // a declared encoding, or auto
  double confidence = 0.9;          // detected encodings below this are quarantined
  std::uint64_t max_record_bytes = 256 << 20;  // longer records are dropped as "record_too_long"
};

// Something to tell about a file as a whole: it was cut off, it was suspiciously empty, trailing
// bytes were left.
struct FileNote {
  std::string
      kind;  // stable name: "empty_file", "truncated", "trailing_garbage", "undetermined_encoding"
  std::string detail;  // one sentence with the offset
};

// What one split held. in = documents + dropped + quarantined is checked by the caller against what
// the sink saw.
struct ReadCounts {
  std::uint64_t lines =
      0;  // physical lines, for formats with lines: later splits of the file count on from here
  std::uint64_t blank_lines = 0;  // neither documents nor losses
  std::uint64_t bytes = 0;        // decompressed bytes looked at
  std::string encoding;           // the one used, "" if none was needed
  std::vector<FileNote> notes;
};

// Receives what a reader finds, in file order. An error returned from a call ends the reading with
// that error.
class RecordSink {
 public:
  virtual ~RecordSink() = default;
  virtual Result<void> document(Document& document) = 0;
  virtual Result<void> rejected(const RejectedRecord& record) = 0;
};

// Thread-safe: read() may run on several splits at once.
class Reader {
 public:
  virtual ~Reader() = default;

  // Cuts a file into splits of about `target_bytes`, without reading more than it must. One split
  // if it cannot be cut, which is all that this one gives.
  virtual Result<std::vector<Split>> split(const std::string& path, std::uint64_t file,
                                           std::uint64_t target_bytes) const;

  // Reads one split. The whole file's bad state (cut off, not the format) is told in `notes` or by
  // quarantining, never by losing what is whole; an error means that the file could not be read at
  // all (missing, permission, I/O).
  virtual Result<ReadCounts> read(const Split& split, RecordSink& sink,
                                  std::stop_token stop) const = 0;
};

struct ReaderInfo {
  std::string name;  // "jsonl"
  std::vector<std::string>
      extensions;  // that `format: auto` goes by, without compression: ".jsonl", ".ndjson", ".json"
  std::string summary;
  // `decoders` outlives the reader.
  Result<std::unique_ptr<Reader>> (*make)(const ReadOptions& options,
                                          const DecoderFactory& decoders);
};

class Registry : public headrace::Registry<ReaderInfo> {
 public:
  // The format for a path by its extension, a compression extension (.gz .zst) left aside; nullptr
  // if none claims it.
  const ReaderInfo* for_path(std::string_view path) const;
};

void register_all(Registry& registry);  // generated from the list in CMakeLists.txt
const Registry& registry();             // all readers, made once

}  // namespace headrace::read
