// SPDX-License-Identifier: Apache-2.0
// Pieces of a text file → documents and rejections.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "read/internal/file_encoding.h"
#include "read/reader.h"

namespace headrace::read {

// A document's bytes as they stand in the file.
struct Piece {
  std::string_view bytes;
  std::uint64_t offset = 0;
  std::uint64_t line = 0;
  bool cut_off = false;
  bool too_long = false;  // `bytes` may be its front only
};

// Single-threaded. What it is made from outlives it.
class PieceSink {
 public:
  PieceSink(const Split& split, const ReadOptions& options, const FileEncoding& encoding,
            RecordSink& sink)
      : split_(split), options_(options), decoder_(encoding), sink_(sink) {}

  Result<void> put(const Piece& piece);
  // Without a '\r' at its end. Returns false, and puts nothing, if the line is blank.
  Result<bool> put_line(const Piece& piece);

 private:
  Result<void> document(const Piece& piece, std::string_view text);
  Result<void> reject(const Piece& piece, Rejection kind, std::string_view reason,
                      std::string detail);

  const Split& split_;
  const ReadOptions& options_;
  RecordDecoder decoder_;
  RecordSink& sink_;
  Document document_;
};

}  // namespace headrace::read
