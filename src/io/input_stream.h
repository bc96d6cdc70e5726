// SPDX-License-Identifier: Apache-2.0
// Bytes of a file in order, decompressed: plain, gzip (any number of members), zstd and lz4 (any
// number of frames, skippable ones too), bz2 and xz (any number of streams). The codec is known by
// the first bytes, not by the name. Local and remote files (see file.h).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "headrace/result.h"

namespace headrace::io {

enum class Codec { kNone, kGzip, kZstd, kBz2, kXz, kLz4 };

// The codec that `head` (the first six bytes or more) starts with.
Codec codec_of(std::string_view head);
// ".gz", ".zst", ".bz2", ".xz", ".lz4" or "". The query of a URI is looked past.
std::string_view compression_extension(std::string_view path);

// How the data ended.
enum class StreamEnd {
  kWhole,            // all of it was read
  kTruncated,        // a member, frame or the header is cut off: what came before is good
  kTrailingGarbage,  // bytes after the last member that are not the codec's
  kCorrupt,          // a checksum or block is wrong; what came before that block is good
};

// Single-threaded.
class InputStream {
 public:
  virtual ~InputStream() = default;

  // Fills up to `size` bytes; fewer only at the end; 0 = no more. Damage is not an error here but
  // an early end: see end(). Errors are I/O errors.
  virtual Result<std::size_t> read(char* buffer, std::size_t size) = 0;

  // Valid once read() has returned 0.
  virtual StreamEnd end() const = 0;
  // One sentence about a bad end, with the offset in the compressed file; "" when whole.
  virtual std::string end_detail() const = 0;

  // Bytes of the file consumed so far (compressed).
  virtual std::uint64_t position() const = 0;

  virtual Codec codec() const = 0;
};

// Opens the bytes [begin, end) of a file (end = 0: to its end). In a compressed file both stand at
// points of its frame index (frame_index.h): a `begin` where no member or frame starts is an error,
// an `end` inside one reads as cut off.
Result<std::unique_ptr<InputStream>> open_input(const std::string& path, std::uint64_t begin = 0,
                                                std::uint64_t end = 0);

}  // namespace headrace::io
