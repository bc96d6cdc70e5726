// SPDX-License-Identifier: Apache-2.0
// Borders of zstd frames without decompressing them (RFC 8878, 3.1.1).
//
// A frame does not say how long it is, but each of its blocks does: walking the three-byte block
// headers finds its end. Most writers put the content size into the frame header; `zstd` reading
// from a pipe does not. Checksums are not looked at.
#include <algorithm>
#include <span>

#include "io/internal/frames.h"

namespace headrace::io {
namespace {

constexpr std::uint64_t kMagicBytes = 4;
constexpr std::uint64_t kSkippableHeaderBytes = 8;
constexpr std::uint64_t kLongestHeaderBytes = 18;
constexpr std::uint64_t kBlockHeaderBytes = 3;
constexpr std::uint64_t kChecksumBytes = 4;
// A block of four bytes holds at most 128 KiB: a header that states more than that lies.
constexpr std::uint64_t kLargestRatio = 1 << 15;

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = bytes.size(); i > 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[i - 1]);
  }
  return value;
}

struct FrameHeader {
  std::uint64_t bytes = 0;  // of the header, its magic number too; 0 when it is cut off
  std::optional<std::uint64_t> content_bytes;
  bool has_checksum = false;
};

FrameHeader parse_header(std::string_view bytes) {
  if (bytes.size() <= kMagicBytes) return {};
  const unsigned descriptor = static_cast<unsigned char>(bytes[kMagicBytes]);
  const bool single_segment = (descriptor & 0x20) != 0;
  constexpr std::uint64_t kDictionaryBytes[] = {0, 1, 2, 4};
  const std::uint64_t size_bytes[] = {single_segment ? 1u : 0u, 2, 4, 8};
  const std::uint64_t content = size_bytes[descriptor >> 6];
  const std::uint64_t at =
      kMagicBytes + 1 + (single_segment ? 0 : 1) + kDictionaryBytes[descriptor & 3];
  if (bytes.size() < at + content) return {};
  FrameHeader header{at + content, std::nullopt, (descriptor & 4) != 0};
  if (content > 0) {
    // Two bytes count from 256 on: one would do below.
    header.content_bytes = little_endian(bytes.substr(at, content)) + (content == 2 ? 256 : 0);
  }
  return header;
}

// Where the blocks that start at `offset` end; nothing if the file ends before, or a block is of no
// type.
Result<std::optional<std::uint64_t>> end_of_blocks(const RandomFile& file, std::uint64_t offset) {
  char bytes[kBlockHeaderBytes];
  for (;;) {
    if (offset + kBlockHeaderBytes > file.bytes()) return std::nullopt;
    HEADRACE_RETURN_IF_ERROR(file.read(offset, bytes));
    const std::uint64_t header = little_endian({bytes, sizeof bytes});
    const bool last = (header & 1) != 0;
    const std::uint64_t type = header >> 1 & 3;
    if (type == 3) return std::nullopt;
    // A run-length block holds one byte, whatever size it stands for.
    offset += kBlockHeaderBytes + (type == 1 ? 1 : header >> 3);
    if (last) return offset;
  }
}

}  // namespace

Result<std::vector<ZstdFrame>> walk_zstd_frames(const RandomFile& file) {
  std::vector<ZstdFrame> frames;
  for (std::uint64_t offset = 0; offset < file.bytes();) {
    char bytes[kLongestHeaderBytes];
    const std::uint64_t size = std::min<std::uint64_t>(sizeof bytes, file.bytes() - offset);
    HEADRACE_RETURN_IF_ERROR(file.read(offset, std::span(bytes, size)));
    const std::string_view head(bytes, size);
    if (codec_of(head) != Codec::kZstd) break;
    if (head[0] != '\x28') {
      if (size < kSkippableHeaderBytes) break;
      offset += kSkippableHeaderBytes + little_endian(head.substr(kMagicBytes, 4));
      continue;
    }
    const FrameHeader header = parse_header(head);
    if (header.bytes == 0) break;
    HEADRACE_ASSIGN_OR_RETURN(const std::optional<std::uint64_t> blocks_end,
                              end_of_blocks(file, offset + header.bytes));
    if (!blocks_end) break;
    const std::uint64_t end = *blocks_end + (header.has_checksum ? kChecksumBytes : 0);
    if (end > file.bytes()) break;
    frames.push_back({offset, end, header.content_bytes});
    if (header.content_bytes.value_or(0) / kLargestRatio > end - offset) {
      frames.back().content_bytes.reset();
    }
    offset = end;
  }
  return frames;
}

}  // namespace headrace::io
