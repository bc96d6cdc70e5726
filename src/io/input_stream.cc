// SPDX-License-Identifier: Apache-2.0
// Which codec a file has, and the stream for a file that has none.
#include "io/input_stream.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fcntl.h>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/internal/codec_stream.h"
#include "io/internal/descriptor.h"

namespace headrace::io {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{1} << 18;
constexpr std::size_t kHeadBytes = 4;
// Bytes of the block before that stay in front of a block; see gzip.cc.
constexpr std::size_t kKeptBytes = 64;

class PlainStream final : public InputStream {
 public:
  PlainStream(Descriptor file, std::string path, std::uint64_t begin, std::uint64_t end)
      : file_(std::move(file)), path_(std::move(path)), position_(begin), end_(end) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (end_ != 0) size = static_cast<std::size_t>(std::min<std::uint64_t>(size, left()));
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                              read_at(file_.get(), path_, position_, buffer, size));
    position_ += got;
    return got;
  }

  StreamEnd end() const override { return StreamEnd::kWhole; }
  std::string end_detail() const override { return ""; }
  std::uint64_t position() const override { return position_; }
  Codec codec() const override { return Codec::kNone; }

 private:
  std::uint64_t left() const { return end_ > position_ ? end_ - position_ : 0; }

  Descriptor file_;
  std::string path_;
  std::uint64_t position_;
  std::uint64_t end_;  // 0: to the end of the file
};

// The codec of a file too short to show it whole: a cut-off archive of one to three bytes is
// damaged gzip or zstd, not text.
Codec codec_of_file(const std::string& path, std::string_view head) {
  const Codec codec = codec_of(head);
  if (codec != Codec::kNone || head.empty() || head.size() >= kHeadBytes) return codec;
  const std::string_view extension = compression_extension(path);
  if (extension == ".gz" && std::string_view("\x1f\x8b").starts_with(head.substr(0, 2))) {
    return Codec::kGzip;
  }
  if (extension == ".zst" && std::string_view("\x28\xB5\x2F\xFD").starts_with(head)) {
    return Codec::kZstd;
  }
  return codec;
}

// A range begins where a member or frame does. The end of the file is such a place, too.
Result<void> check_begin(const Descriptor& file, const std::string& path, std::uint64_t begin,
                         Codec codec) {
  char bytes[kHeadBytes];
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got,
                            read_at(file.get(), path, begin, bytes, sizeof bytes));
  const std::string_view head(bytes, got);
  const bool begins = codec == Codec::kGzip ? codec_of(head) == codec : may_begin_zstd_frame(head);
  if (begins || head.empty()) return {};
  return invalid_argument("reading {} from offset {}: no member or frame starts there", path,
                          begin);
}

}  // namespace

BlockSource::BlockSource(Descriptor file, std::string path, std::uint64_t begin, std::uint64_t end)
    : file_(std::move(file)),
      path_(std::move(path)),
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
                            read_at(file_.get(), path_, file_offset_, block_.data() + end_, room));
  end_ += got;
  file_offset_ += got;
  at_end_ = got < room || room == 0;
  return {};
}

Codec codec_of(std::string_view head) {
  if (head.starts_with("\x1f\x8b")) return Codec::kGzip;
  if (head.starts_with("\x28\xB5\x2F\xFD")) return Codec::kZstd;
  // A skippable frame: 0x184D2A50 to 0x184D2A5F, little-endian.
  if (head.size() >= kHeadBytes && (static_cast<unsigned char>(head[0]) & 0xF0) == 0x50 &&
      head.substr(1, 3) == "\x2A\x4D\x18") {
    return Codec::kZstd;
  }
  return Codec::kNone;
}

std::string_view compression_extension(std::string_view path) {
  for (const std::string_view extension : {std::string_view(".gz"), std::string_view(".zst")}) {
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
  HEADRACE_ASSIGN_OR_RETURN(Descriptor file, open_for_reading(path));
  char head[kHeadBytes];
  HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, read_at(file.get(), path, 0, head, sizeof head));
  const Codec codec = codec_of_file(path, std::string_view(head, got));
  ::posix_fadvise(file.get(), static_cast<off_t>(begin), 0, POSIX_FADV_SEQUENTIAL);
  if (codec == Codec::kNone) {
    return std::make_unique<PlainStream>(std::move(file), path, begin, end);
  }
  if (begin != 0) HEADRACE_RETURN_IF_ERROR(check_begin(file, path, begin, codec));
  BlockSource source(std::move(file), path, begin, end);
  if (codec == Codec::kGzip) return make_gzip_stream(std::move(source));
  return make_zstd_stream(std::move(source));
}

}  // namespace headrace::io
