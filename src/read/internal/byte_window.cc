// SPDX-License-Identifier: Apache-2.0
// One buffer that grows to the longest record. Members are decompressed straight into it: a call of
// the decoder per member, and no copy.
#include "read/internal/byte_window.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace headrace::read {
namespace {

constexpr std::size_t kFirstBytes = std::size_t{1} << 20;
// Less room than this is made more before reading.
constexpr std::size_t kLeastRoom = std::size_t{1} << 16;
// A plain file is read in steps of this, so that what is skipped is not read.
constexpr std::size_t kPlainBytes = std::size_t{1} << 17;

}  // namespace

Result<ByteWindow> ByteWindow::open(const std::string& path, std::uint64_t begin,
                                    io::AcceptMember accept) {
  HEADRACE_ASSIGN_OR_RETURN(Stream stream, io::open_input(path));
  if (stream->codec() != io::Codec::kNone && stream->codec() != io::Codec::kGzip) {
    return ByteWindow(std::move(stream), begin, std::move(accept));
  }
  HEADRACE_ASSIGN_OR_RETURN(io::RandomFile file, io::RandomFile::open_in_order(path));
  if (stream->codec() == io::Codec::kGzip) {
    return ByteWindow(io::GzipMembers(std::move(file), begin), begin, std::move(accept));
  }
  return ByteWindow(Plain{std::move(file), begin}, begin, std::move(accept));
}

void ByteWindow::consume(std::size_t bytes) {
  begin_ += bytes;
  offset_ += bytes;
}

std::uint64_t ByteWindow::position() const {
  const auto* members = std::get_if<io::GzipMembers>(&source_);
  return members != nullptr ? members->position() : offset_;
}

std::uint64_t ByteWindow::file_bytes() const {
  const auto* plain = std::get_if<Plain>(&source_);
  return plain != nullptr ? plain->file.bytes() : std::get<io::GzipMembers>(source_).file().bytes();
}

Result<std::string> ByteWindow::peek(std::uint64_t offset, std::size_t size) const {
  const io::RandomFile& file = std::get<Plain>(source_).file;
  const std::uint64_t left = file.bytes() - std::min(offset, file.bytes());
  std::string bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size, left)), '\0');
  HEADRACE_RETURN_IF_ERROR(file.read(offset, bytes));
  return bytes;
}

void ByteWindow::make_room() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (capacity_ - end_ >= kLeastRoom) return;
  const std::size_t size = end_ - begin_;
  if (size <= capacity_ / 2 && capacity_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, size);
  } else {
    const std::size_t capacity = std::max(2 * capacity_, kFirstBytes);
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (size > 0) std::memcpy(larger.get(), buffer_.get() + begin_, size);
    buffer_ = std::move(larger);
    capacity_ = capacity;
  }
  begin_ = 0;
  end_ = size;
}

Result<bool> ByteWindow::fill() {
  if (piece_ != Piece::kOpen) return false;
  make_room();
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, read(buffer_.get() + end_, capacity_ - end_));
  end_ += got;
  return got > 0;
}

Result<bool> ByteWindow::fill_to(std::size_t size) {
  while (bytes().size() < size) {
    HEADRACE_ASSIGN_OR_RETURN(const bool more, fill());
    if (!more) return false;
  }
  return true;
}

Result<std::size_t> ByteWindow::read(char* to, std::size_t room) {
  if (auto* members = std::get_if<io::GzipMembers>(&source_)) {
    return read_member(*members, to, room);
  }
  if (auto* plain = std::get_if<Plain>(&source_)) {
    const std::uint64_t left = plain->file.bytes() - std::min(plain->position, plain->file.bytes());
    const auto size =
        static_cast<std::size_t>(std::min<std::uint64_t>(std::min(room, kPlainBytes), left));
    HEADRACE_RETURN_IF_ERROR(plain->file.read(plain->position, {to, size}));
    plain->position += size;
    if (size == 0) piece_ = Piece::kWhole;
    return size;
  }
  const Stream& stream = std::get<Stream>(source_);
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, stream->read(to, room));
  if (got > 0) return got;
  end_state_ = stream->end();
  end_detail_ = stream->end_detail();
  piece_ = end_state_ == io::StreamEnd::kTruncated ? Piece::kTruncated
           : end_state_ == io::StreamEnd::kCorrupt ? Piece::kCorrupt
                                                   : Piece::kWhole;
  return got;
}

Result<std::size_t> ByteWindow::read_member(io::GzipMembers& members, char* to, std::size_t room) {
  std::size_t got = 0;
  HEADRACE_ASSIGN_OR_RETURN(const io::GzipMembers::State state, members.read(to, room, &got));
  switch (state) {
    case io::GzipMembers::State::kInside:
      return got;
    case io::GzipMembers::State::kTruncated:
    case io::GzipMembers::State::kCorrupt:
      break;
    default:
      piece_ = Piece::kWhole;
      return got;
  }
  // Damage, too, may lead the decoder to the end of the file.
  bool corrupt = state == io::GzipMembers::State::kCorrupt;
  if (!corrupt) {
    HEADRACE_ASSIGN_OR_RETURN(const auto follows, find_member(file_bytes()));
    corrupt = follows.has_value();
  }
  piece_ = corrupt ? Piece::kCorrupt : Piece::kTruncated;
  end_state_ = corrupt ? io::StreamEnd::kCorrupt : io::StreamEnd::kTruncated;
  end_detail_ = members.detail();
  return got;
}

Result<bool> ByteWindow::next_piece() {
  auto* members = std::get_if<io::GzipMembers>(&source_);
  if (members == nullptr) {
    if (std::exchange(started_, true)) return false;
    piece_ = Piece::kOpen;
    return true;
  }
  started_ = true;
  HEADRACE_ASSIGN_OR_RETURN(const io::GzipMembers::State state, members->next());
  piece_begin_ = members->member();
  switch (state) {
    case io::GzipMembers::State::kInside:
      piece_ = Piece::kOpen;
      return true;
    case io::GzipMembers::State::kGarbage:
      end_state_ = io::StreamEnd::kTrailingGarbage;
      break;
    case io::GzipMembers::State::kTruncated:
      end_state_ = io::StreamEnd::kTruncated;
      break;
    default:
      end_state_ = io::StreamEnd::kWhole;
      break;
  }
  end_detail_ = members->detail();
  return false;
}

void ByteWindow::seek(std::uint64_t offset) {
  begin_ = end_ = 0;
  if (auto* members = std::get_if<io::GzipMembers>(&source_)) {
    members->seek(offset);
    piece_ = Piece::kWhole;
  } else if (auto* plain = std::get_if<Plain>(&source_)) {
    plain->position = offset;
    offset_ = offset;
    piece_ = Piece::kOpen;
  }
  end_state_ = io::StreamEnd::kWhole;
  end_detail_.clear();
}

Result<std::optional<std::uint64_t>> ByteWindow::find_member(std::uint64_t limit) const {
  return io::find_gzip_member(std::get<io::GzipMembers>(source_).file(), piece_begin_ + 1, limit,
                              accept_);
}

}  // namespace headrace::read
