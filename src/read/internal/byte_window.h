// SPDX-License-Identifier: Apache-2.0
// The decompressed bytes of a file through a window that slides, in pieces: the members of a gzip
// file, or the whole of any other.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "headrace/result.h"

#include "io/gzip_member_reader.h"
#include "io/input_stream.h"
#include "io/random_file.h"

namespace headrace::read {

// Single-threaded.
class ByteWindow {
 public:
  enum class Piece {
    kOpen,       // there may be more of it
    kWhole,      // its end was reached
    kTruncated,  // the file ends inside it, and no good member follows its start
    kCorrupt,    // it is damaged: what came before the damage is in the window
  };

  // `begin`: where a piece starts in a gzip file, any place in a plain one, else 0. `accept` knows
  // the first bytes of good members.
  static Result<ByteWindow> open(const std::string& path, std::uint64_t begin,
                                 io::AcceptMember accept);

  // What was read and not consumed; it moves with every other call.
  std::string_view bytes() const { return {buffer_.get() + begin_, end_ - begin_}; }
  std::uint64_t offset() const { return offset_; }  // of bytes()[0], counted from `begin`'s
  void consume(std::size_t bytes);

  // Reads on in the piece. False when there is no more of it: see piece().
  Result<bool> fill();
  // Until bytes() holds `size` bytes; false when the piece ends before.
  Result<bool> fill_to(std::size_t size);
  Piece piece() const { return piece_; }
  // Goes on to the next piece, behind bytes(); false when there is none.
  Result<bool> next_piece();

  bool has_members() const { return std::holds_alternative<io::GzipMembers>(source_); }
  bool is_plain() const { return std::holds_alternative<Plain>(source_); }
  // Of gzip files: where the current piece begins and how far it was read.
  std::uint64_t piece_begin() const { return piece_begin_; }
  std::uint64_t position() const;
  // Of gzip and plain files: where the file ends.
  std::uint64_t file_bytes() const;
  // Of plain files: up to `size` bytes from `offset` on, which are not consumed.
  Result<std::string> peek(std::uint64_t offset, std::size_t size) const;

  // Drops all bytes and goes on at `offset`: of a plain file, or of a member of a gzip file.
  void seek(std::uint64_t offset);
  // For gzip files: the next place behind the start of the current piece, before `limit`, where a
  // good member begins.
  Result<std::optional<std::uint64_t>> find_member(std::uint64_t limit) const;

  // How the file ended, once next_piece() has said false or a piece is bad.
  io::StreamEnd end() const { return end_state_; }
  const std::string& end_detail() const { return end_detail_; }

 private:
  struct Plain {
    io::RandomFile file;
    std::uint64_t position;
  };
  using Stream = std::unique_ptr<io::InputStream>;
  using Source = std::variant<Plain, io::GzipMembers, Stream>;

  ByteWindow(Source source, std::uint64_t begin, io::AcceptMember accept)
      : source_(std::move(source)),
        accept_(std::move(accept)),
        offset_(begin),
        piece_begin_(begin) {}
  void make_room();
  Result<std::size_t> read(char* to, std::size_t room);
  Result<std::size_t> read_member(io::GzipMembers& members, char* to, std::size_t room);

  Source source_;
  io::AcceptMember accept_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_;
  Piece piece_ = Piece::kWhole;  // before the first one
  std::uint64_t piece_begin_;
  bool started_ = false;
  io::StreamEnd end_state_ = io::StreamEnd::kWhole;
  std::string end_detail_;
};

}  // namespace headrace::read
