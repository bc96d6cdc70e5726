// SPDX-License-Identifier: Apache-2.0
// Reads a stream in blocks of whole lines, with memory for one block or one longest line.
//
// Only the newline of the file's encoding ends a line: the byte 0x0A, or in UTF-16 the unit U+000A
// at an even offset. Blocks of 256 KiB stay in the core's second cache until the parser has been
// through them. A line longer than the buffer doubles it, up to the limit on records; beyond that
// the line is skipped block by block and only its front is kept.
//
// A split that begins inside a plain file starts reading one byte early and throws away up to the
// first newline: if that byte is a newline the split begins with a line, else with the rest of one
// that belongs to the split before.
//
// Inside a compressed file the byte before is in another frame. There a split always throws away
// through its first newline, and the split before reads on into the next frame for one line more,
// also when a line starts right at the border (as Hadoop's LineRecordReader does). How much the
// frames hold is what their headers say, until they are read: a split reads its own to their end by
// themselves, so that headers that lie are found out and nothing is passed over in silence.
#include "read/internal/line_blocks.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace headrace::read {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::size_t kFrontBytes = std::size_t{1} << 16;

}  // namespace

std::size_t find_newline(std::string_view bytes, std::size_t from, Newline newline) {
  if (newline == Newline::kByte) return bytes.find('\n', from);
  // Records start on even offsets, so evenness in `bytes` is evenness in the file.
  const std::size_t low = newline == Newline::kUtf16Little ? 0 : 1;
  for (std::size_t at = bytes.find('\n', from); at != bytes.npos; at = bytes.find('\n', at + 1)) {
    if (at % 2 != low) continue;
    const std::size_t unit = at - low;
    if (unit + 1 < bytes.size() && bytes[unit + 1 - low] == '\0' && unit >= from) return unit;
  }
  return std::string_view::npos;
}

Result<LineBlocks> LineBlocks::open(const Split& split, const FileEncoding& encoding,
                                    std::uint64_t max_record_bytes) {
  const bool at_frame = split.decompressed_begin > 0;
  const std::uint64_t start = at_frame || split.begin == 0 ? split.begin : split.begin - 1;
  const bool has_border = split.decompressed_end > 0;
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<io::InputStream> stream,
                            io::open_input(split.path, start, has_border ? split.end : 0));
  const bool compressed = stream->codec() != io::Codec::kNone;
  LineBlocks blocks(std::move(stream), split, encoding.newline, max_record_bytes);
  blocks.capacity_ = kBlockBytes;
  blocks.buffer_ = std::make_unique_for_overwrite<char[]>(blocks.capacity_);
  blocks.offset_ = at_frame ? split.decompressed_begin : start;
  if (!compressed) {
    blocks.limit_ = split.end;
  } else if (has_border) {
    blocks.limit_ = split.decompressed_end + 1;
    blocks.border_ = Border::kAhead;
  }
  if (split.begin > 0) {
    std::uint64_t skipped = 0;
    bool terminated = false;
    HEADRACE_RETURN_IF_ERROR(blocks.skip_line(&skipped, &terminated, &blocks.front_));
  } else {
    HEADRACE_RETURN_IF_ERROR(blocks.fill());
    blocks.take(std::min(encoding.mark_bytes, blocks.filled_));
  }
  return blocks;
}

void LineBlocks::take(std::size_t bytes) {
  begin_ += bytes;
  offset_ += bytes;
  searched_ = 0;
}

// Reads on, making room by moving what is unread to the front or by doubling the buffer.
Result<void> LineBlocks::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, filled_ - begin_);
    filled_ -= begin_;
    begin_ = 0;
  }
  if (filled_ == capacity_) {
    auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity_);
    std::memcpy(larger.get(), buffer_.get(), filled_);
    buffer_ = std::move(larger);
    capacity_ *= 2;
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                            stream_->read(buffer_.get() + filled_, capacity_ - filled_));
  filled_ += got;
  if (got == 0 && border_ == Border::kAhead && stream_->end() == io::StreamEnd::kWhole) {
    return pass_border();
  }
  at_end_ = got == 0;
  return {};
}

// All frames of the split lie in front of what was read: goes on into those of the next.
Result<void> LineBlocks::pass_border() {
  border_ = Border::kBehind;
  const std::uint64_t held = offset_ + filled_;
  wrong_border_ = held != split_.decompressed_end;
  limit_ = std::min(limit_, held + 1);
  HEADRACE_ASSIGN_OR_RETURN(stream_, io::open_input(split_.path, split_.end));
  return {};
}

// Throws away up to and with the next newline, but for the first kFrontBytes of the line.
Result<void> LineBlocks::skip_line(std::uint64_t* skipped, bool* terminated, std::string* front) {
  front->clear();
  for (;;) {
    const std::size_t at = find_newline(unread(), 0, newline_);
    *terminated = at != std::string_view::npos;
    // In UTF-16 half a unit may wait for its other half.
    const std::size_t half = at_end_ ? 0 : unread().size() % newline_bytes(newline_);
    const std::size_t bytes = *terminated ? at + newline_bytes(newline_) : unread().size() - half;
    const std::size_t of_line = *terminated ? at : bytes;
    *front += unread().substr(0, std::min(of_line, kFrontBytes - front->size()));
    take(bytes);
    *skipped += bytes;
    if (*terminated || at_end_) return {};
    HEADRACE_RETURN_IF_ERROR(fill());
  }
}

std::size_t LineBlocks::last_newline() const {
  const std::string_view bytes = unread();
  if (newline_ == Newline::kByte) {
    const void* found = ::memrchr(bytes.data() + searched_, '\n', bytes.size() - searched_);
    return found == nullptr
               ? bytes.npos
               : static_cast<std::size_t>(static_cast<const char*>(found) - bytes.data());
  }
  std::size_t last = bytes.npos;
  for (std::size_t at = find_newline(bytes, searched_, newline_); at != bytes.npos;
       at = find_newline(bytes, at + 2, newline_)) {
    last = at;
  }
  return last;
}

Result<void> LineBlocks::make_too_long(LineBlock* block) {
  block->offset = offset_;
  block->length = 0;
  block->too_long = true;
  HEADRACE_RETURN_IF_ERROR(skip_line(&block->length, &block->terminated, &front_));
  block->bytes = front_;
  return {};
}

Result<bool> LineBlocks::next(LineBlock* block) {
  *block = {};
  for (;;) {
    if (limit_ != 0 && offset_ >= limit_) {
      wrong_border_ = wrong_border_ || border_ == Border::kAhead;
      return false;
    }
    const std::string_view bytes = unread();
    std::size_t length = last_newline();
    if (length != bytes.npos) {
      length += newline_bytes(newline_);
      // The last line that is ours ends with the first newline at or behind limit - 1.
      if (limit_ != 0 && offset_ + length > limit_) {
        length = find_newline(bytes, limit_ - 1 - offset_, newline_) + newline_bytes(newline_);
      }
    } else if (at_end_) {
      if (bytes.empty()) return false;
      length = bytes.size();
      block->terminated = false;
    } else if (bytes.size() > max_bytes_) {
      HEADRACE_RETURN_IF_ERROR(make_too_long(block));
      return true;
    } else {
      searched_ = bytes.size() - bytes.size() % newline_bytes(newline_);
      HEADRACE_RETURN_IF_ERROR(fill());
      continue;
    }
    block->bytes = bytes.substr(0, length);
    block->offset = offset_;
    block->length = length;
    take(length);
    return true;
  }
}

}  // namespace headrace::read
