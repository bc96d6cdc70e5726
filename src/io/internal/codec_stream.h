// SPDX-License-Identifier: Apache-2.0
// What the codecs share: compressed bytes in blocks, with their place in the file.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_stream.h"
#include "io/internal/file_system.h"

namespace headrace::io {

// A file read in blocks. data() are the bytes not yet consumed; they stay at the place they were
// until refill().
class BlockSource {
 public:
  // The bytes [begin, end) of a file; end = 0: to its end.
  explicit BlockSource(std::unique_ptr<ReadableFile> file, std::uint64_t begin = 0,
                       std::uint64_t end = 0);

  std::string_view data() const { return {block_.data() + begin_, end_ - begin_}; }
  void consume(std::size_t bytes) { begin_ += bytes; }
  // Gives back bytes that were consumed last.
  void unconsume(std::size_t bytes) { begin_ -= bytes; }
  // The same file and end from `begin` on.
  Result<BlockSource> from(std::uint64_t begin) const;
  // Reads on until at least `bytes` lie in data() or the file ends.
  Result<void> refill(std::size_t bytes);
  bool at_end_of_file() const { return at_end_; }

  std::uint64_t position() const { return file_offset_ - (end_ - begin_); }
  const std::string& path() const { return file_->name(); }

 private:
  std::unique_ptr<ReadableFile> file_;
  std::string block_;
  std::size_t begin_;
  std::size_t end_;
  std::uint64_t file_offset_;  // of block_[end_]
  std::uint64_t file_end_;     // 0: the end of the file
  bool at_end_ = false;
};

std::unique_ptr<InputStream> make_gzip_stream(BlockSource source);
Result<std::unique_ptr<InputStream>> make_zstd_stream(BlockSource source);
Result<std::unique_ptr<InputStream>> make_bz2_stream(BlockSource source);
Result<std::unique_ptr<InputStream>> make_xz_stream(BlockSource source);
Result<std::unique_ptr<InputStream>> make_lz4_stream(BlockSource source);

// Whether `head` (the first four bytes, fewer at the end of a file) may begin a frame.
bool may_begin_zstd_frame(std::string_view head);

}  // namespace headrace::io
