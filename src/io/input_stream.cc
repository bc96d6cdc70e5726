// SPDX-License-Identifier: Apache-2.0
// Which codec a file has, and the stream for a file that has none.
#include "io/input_stream.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <utility>

#include "base/error.h"
#include "io/internal/codec_stream.h"
#include "io/internal/file_system.h"
#include "io/uri.h"

namespace headrace::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::size_t kHeadBytes = 6;

struct Magic {
  Codec codec;
  std::string_view extension;
  std::string_view bytes;
};
constexpr Magic kMagics[] = {{Codec::kGzip, ".gz", "\x1F\x8B"},
                             {Codec::kZstd, ".zst", "\x28\xB5\x2F\xFD"},
                             {Codec::kBz2, ".bz2", "BZh"},
                             {Codec::kXz, ".xz",
                              std::string_view("\xFD"
                                               "7zXZ\0",
                                               6)},
                             {Codec::kLz4, ".lz4", "\x04\x22\x4D\x18"}};
// Bytes of the block before that stay in front of a block; see gzip.cc.
constexpr std::size_t kKeptBytes = 64;

class PlainStream final : public InputStream {
 public:
  PlainStream(std::unique_ptr<ReadableFile> file, std::uint64_t begin, std::uint64_t end)
      : file_(std::move(file)), position_(begin), end_(end) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (end_ != 0) size = static_cast<std::size_t>(std::min<std::uint64_t>(size, left()));
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                              file_->read_at(position_, std::span(buffer, size)));
    position_ += got;
    return got;
  }

  StreamEnd end() const override { return StreamEnd::kWhole; }
  std::string end_detail() const override { return ""; }
  std::uint64_t position() const override { return position_; }
  Codec codec() const override { return Codec::kNone; }

 private:
  std::uint64_t left() const { return end_ > position_ ? end_ - position_ : 0; }

  std::unique_ptr<ReadableFile> file_;
  std::uint64_t position_;
  std::uint64_t end_;  // 0: to the end of the file
};

// What may follow "BZh": a digit, then a block or the end of the stream, as far as `head` shows it.
bool begins_bz2(std::string_view head) {
  if (head.size() < kHeadBytes) return false;
  const std::string_view block = head.substr(4, 2);
  return head[3] >= '1' && head[3] <= '9' && (block == "1A" || block == "\x17\x72");
}

// The codec of a file too short to show it whole: a cut-off archive of a few bytes is damaged, not
// text.
Codec codec_of_file(const std::string& path, std::string_view head) {
  const Codec codec = codec_of(head);
  if (codec != Codec::kNone || head.empty() || head.size() >= kHeadBytes) return codec;
  const std::string_view extension = compression_extension(path);
  for (const Magic& magic : kMagics) {
    const std::string_view start = magic.bytes.substr(0, head.size());
    if (extension == magic.extension && head.starts_with(start)) return magic.codec;
  }
  return codec;
}

// A range begins where a member or frame does. The end of the file is such a place, too.
Result<void> check_begin(ReadableFile& file, std::uint64_t begin, Codec codec) {
  char bytes[kHeadBytes];
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, file.read_at(begin, bytes));
  const std::string_view head(bytes, got);
  const bool begins =
      codec == Codec::kZstd ? may_begin_zstd_frame(head.substr(0, 4)) : codec_of(head) == codec;
  if (begins || head.empty()) return {};
  return invalid_argument("reading {} from offset {}: no member or frame starts there", file.name(),
                          begin);
}

}  // namespace

BlockSource::BlockSource(std::unique_ptr<ReadableFile> file, std::uint64_t begin, std::uint64_t end)
    : file_(std::move(file)),
      block_(kKeptBytes + kBlockBytes, '\0'),
      begin_(kKeptBytes),
      end_(kKeptBytes),
      file_offset_(begin),
      file_end_(end) {}

Result<void> BlockSource::refill(std::size_t bytes) {
  if (end_ - begin_ >= bytes || at_end_) return {};
  // What is left moves to the front, behind the last bytes that were consumed.
  const std::size_t left = end_ - begin_;
  std::memmove(block_.data(), block_.data() + begin_ - kKeptBytes, kKeptBytes + left);
  begin_ = kKeptBytes;
  end_ = kKeptBytes + left;
  std::size_t room = block_.size() - end_;
  if (file_end_ != 0) {
    const std::uint64_t of_range = file_end_ > file_offset_ ? file_end_ - file_offset_ : 0;
    room = static_cast<std::size_t>(std::min<std::uint64_t>(room, of_range));
  }
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                            file_->read_at(file_offset_, std::span(block_.data() + end_, room)));
  end_ += got;
  file_offset_ += got;
  at_end_ = got < room || room == 0;
  return {};
}

Result<BlockSource> BlockSource::from(std::uint64_t begin) const {
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, open_sequential(path(), begin));
  return BlockSource(std::move(file), begin, file_end_);
}

Codec codec_of(std::string_view head) {
  for (const Magic& magic : kMagics) {
    if (!head.starts_with(magic.bytes)) continue;
    // "BZh" alone may begin a text: the size of its blocks and the first of them must follow.
    if (magic.codec == Codec::kBz2 && !begins_bz2(head)) continue;
    return magic.codec;
  }
  // A skippable frame: 0x184D2A50 to 0x184D2A5F, little-endian. lz4 has the same, but only zstd
  // writes files that begin with one.
  if (head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xF0) == 0x50 &&
      head.substr(1, 3) == "\x2A\x4D\x18") {
    return Codec::kZstd;
  }
  return Codec::kNone;
}

std::string_view compression_extension(std::string_view path) {
  path = without_query(path);
  for (const Magic& magic : kMagics) {
    const std::string_view extension = magic.extension;
    if (path.size() < extension.size()) continue;
    const std::string_view tail = path.substr(path.size() - extension.size());
    const bool same = std::equal(tail.begin(), tail.end(), extension.begin(), [](char a, char b) {
      return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + ('a' - 'A')) : a) == b;
    });
    if (same) return extension;
  }
  return "";
}

Result<std::unique_ptr<InputStream>> open_input(const std::string& path, std::uint64_t begin,
                                                std::uint64_t end) {
  HEADRACE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, open_sequential(path, begin));
  char head[kHeadBytes];
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, file->read_at(0, head));
  const Codec codec = codec_of_file(path, std::string_view(head, got));
  if (codec == Codec::kNone) return std::make_unique<PlainStream>(std::move(file), begin, end);
  if (begin != 0) HEADRACE_RETURN_IF_ERROR(check_begin(*file, begin, codec));
  BlockSource source(std::move(file), begin, end);
  switch (codec) {
    case Codec::kGzip:
      return make_gzip_stream(std::move(source));
    case Codec::kZstd:
      return make_zstd_stream(std::move(source));
    case Codec::kBz2:
      return make_bz2_stream(std::move(source));
    case Codec::kXz:
      return make_xz_stream(std::move(source));
    case Codec::kLz4:
      return make_lz4_stream(std::move(source));
    case Codec::kNone:
      break;
  }
  return internal_error("reading {}: a codec without a stream", path);
}

}  // namespace headrace::io
