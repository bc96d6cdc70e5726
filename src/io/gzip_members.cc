// SPDX-License-Identifier: Apache-2.0
// Borders of gzip members.
//
// A member (RFC 1952) says neither how long it is nor, above 4 GiB, how much it holds: its end is
// known once it is inflated. BGZF, the blocked form that bgzip writes, says both: a block's header
// carries its length in an extra field and its last four bytes how much it holds, at most 64 KiB
// (SAM/BAM format specification, 4.1). Members are taken by their headers as long as they are BGZF
// and inflated from there on.
#include <cstring>

#include "base/error.h"
#include "io/internal/frames.h"

namespace headrace::io {
namespace {

constexpr std::uint64_t kBgzfHeaderBytes = 18;
constexpr std::uint64_t kTrailerBytes = 8;
constexpr std::uint64_t kLargestBgzfContent = 64 << 10;
// Deflate, an extra field; time, flags and system are free; six bytes of extra field; BC, two
// bytes.
constexpr std::string_view kMagic("\x1f\x8b\x08\x04", 4);
constexpr std::string_view kExtra("\x06\x00\x42\x43\x02\x00", 6);

struct BgzfBlock {
  std::uint64_t bytes = 0;  // 0: no whole BGZF block starts here
  std::uint64_t content_bytes = 0;
};

Result<BgzfBlock> read_bgzf_block(const RandomFile& file, std::uint64_t offset) {
  if (offset + kBgzfHeaderBytes > file.bytes()) return BgzfBlock{};
  char bytes[kBgzfHeaderBytes];
  HEADRACE_RETURN_IF_ERROR(file.read(offset, bytes));
  const std::string_view head(bytes, sizeof bytes);
  if (!head.starts_with(kMagic) || head.substr(10, kExtra.size()) != kExtra) return BgzfBlock{};
  const auto byte = [](char c) {
    return static_cast<std::uint64_t>(static_cast<unsigned char>(c));
  };
  const std::uint64_t size = (byte(bytes[17]) << 8 | byte(bytes[16])) + 1;
  if (size < kBgzfHeaderBytes + kTrailerBytes || offset + size > file.bytes()) return BgzfBlock{};
  char held[4];
  HEADRACE_RETURN_IF_ERROR(file.read(offset + size - sizeof held, held));
  const std::uint64_t content =
      byte(held[3]) << 24 | byte(held[2]) << 16 | byte(held[1]) << 8 | byte(held[0]);
  if (content > kLargestBgzfContent) return BgzfBlock{};
  return BgzfBlock{size, content};
}

}  // namespace

Result<std::vector<FramePoint>> index_gzip_members(const RandomFile& file,
                                                   std::uint64_t patience_bytes) {
  std::vector<FramePoint> points;
  FramePoint next;
  while (next.compressed < file.bytes()) {
    HEADRACE_ASSIGN_OR_RETURN(const BgzfBlock block, read_bgzf_block(file, next.compressed));
    if (block.bytes == 0) break;
    points.push_back(next);
    next.compressed += block.bytes;
    next.decompressed += block.content_bytes;
  }
  if (next.compressed == file.bytes()) return points;
  HEADRACE_ASSIGN_OR_RETURN(auto rest, open_sequential(file.path(), next.compressed));
  HEADRACE_RETURN_IF_ERROR(inflate_members(BlockSource(std::move(rest), next.compressed),
                                           patience_bytes, next.decompressed, &points));
  return points;
}

}  // namespace headrace::io
