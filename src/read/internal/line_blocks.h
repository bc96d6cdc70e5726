// SPDX-License-Identifier: Apache-2.0
// A stream in blocks of whole lines.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "io/input_stream.h"
#include "read/internal/file_encoding.h"
#include "read/reader.h"

namespace headrace::read {

struct LineBlock {
  std::string_view bytes;    // lines with their newlines
  std::uint64_t offset = 0;  // of bytes[0] in the decompressed file
  std::uint64_t length = 0;  // bytes of the file it stands for
  bool terminated = true;    // false: the file ends without a newline
  bool too_long = false;     // one line over the limit: `bytes` is its front only
};

// Where the newline at or behind `from` starts; npos if there is none.
std::size_t find_newline(std::string_view bytes, std::size_t from, Newline newline);
constexpr std::size_t newline_bytes(Newline newline) { return newline == Newline::kByte ? 1 : 2; }

// The lines that start in [split.begin, split.end) of a file; in a compressed one, in
// (decompressed_begin, decompressed_end]. A line may end behind the split; one that began before it
// belongs to the split before. Single-threaded.
class LineBlocks {
 public:
  static Result<LineBlocks> open(const Split& split, const FileEncoding& encoding,
                                 std::uint64_t max_record_bytes);

  // False after the last block. A block is valid until the next call.
  Result<bool> next(LineBlock* block);

  // Once next() has said false.
  io::StreamEnd end() const { return stream_->end(); }
  std::string end_detail() const { return stream_->end_detail(); }
  bool reached_end_of_file() const { return at_end_; }
  // Whether the frames of the next split were begun: damage that is met there is that split's.
  bool is_behind_border() const { return border_ == Border::kBehind; }
  // The frames of this split hold other than the split was told: their headers are damaged.
  bool has_wrong_border() const { return wrong_border_; }

 private:
  // Where the split ends at a frame that is not the last.
  enum class Border { kNone, kAhead, kBehind };

  LineBlocks(std::unique_ptr<io::InputStream> stream, const Split& split, Newline newline,
             std::uint64_t max_bytes)
      : stream_(std::move(stream)), split_(split), newline_(newline), max_bytes_(max_bytes) {}

  std::string_view unread() const { return {buffer_.get() + begin_, filled_ - begin_}; }
  void take(std::size_t bytes);
  Result<void> fill();
  Result<void> pass_border();
  Result<void> skip_line(std::uint64_t* skipped, bool* terminated, std::string* front);
  Result<void> make_too_long(LineBlock* block);
  std::size_t last_newline() const;

  std::unique_ptr<io::InputStream> stream_;
  Split split_;
  Newline newline_;
  std::uint64_t max_bytes_;
  std::uint64_t limit_ = 0;  // lines that start here or later are not ours; 0 = none such
  Border border_ = Border::kNone;
  bool wrong_border_ = false;

  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t filled_ = 0;
  std::size_t searched_ = 0;  // no newline in unread() before it
  std::uint64_t offset_ = 0;  // of buffer_[begin_] in the file
  bool at_end_ = false;
  std::string front_;  // of a line that is too long
};

}  // namespace headrace::read
