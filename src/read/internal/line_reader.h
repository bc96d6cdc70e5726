// SPDX-License-Identifier: Apache-2.0
// The lines of one split, for every format that has lines.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string_view>

#include "headrace/result.h"

#include "io/input_stream.h"
#include "read/internal/file_encoding.h"
#include "read/reader.h"

namespace headrace::read {

struct RawLine {
  std::string_view bytes;    // without its newline; the first bytes only when too_long
  std::uint64_t offset = 0;  // in the decompressed file
  std::uint64_t number = 0;  // in the split, from 1
  bool terminated = true;    // a newline follows
  bool cut_off = false;      // the file is damaged behind it, and no newline follows
  bool too_long = false;     // over the limit
};

// What to do with lines.
class LineVisitor {
 public:
  virtual ~LineVisitor() = default;
  // The lines that follow lie in `bytes`, one after the other.
  virtual void begin_block(std::string_view bytes) { static_cast<void>(bytes); }
  virtual Result<void> line(const RawLine& line) = 0;
};

// Shows the lines of a split (see LineBlocks) to `visitor`. Fills lines, bytes, encoding
// and notes of the result. Memory: one block, or the longest line up to options.max_record_bytes.
Result<ReadCounts> read_lines(const Split& split, const ReadOptions& options,
                              const FileEncoding& encoding, LineVisitor& visitor,
                              std::stop_token stop);

// The splits of a file of lines: of `target_bytes` each, in a compressed file at the frame or
// member behind so many decompressed bytes; one where the file cannot be cut.
Result<std::vector<Split>> split_lines(const std::string& path, std::uint64_t file,
                                       std::uint64_t target_bytes, const ReadOptions& options,
                                       const DecoderFactory& decoders);

// Notes on a file that has no byte in it, or that ends badly.
void note_end(const Split& split, std::uint64_t decompressed_bytes, io::StreamEnd end,
              std::string_view end_detail, std::vector<FileNote>* notes);

// What is wrong with options, before any file is opened.
Result<void> check_options(const ReadOptions& options, const DecoderFactory& decoders);

std::string_view strip_carriage_return(std::string_view line);
// White space as ASCII has it.
bool is_blank(std::string_view line);

}  // namespace headrace::read
