// SPDX-License-Identifier: Apache-2.0
// Borders of frames or members → points in the decompressed file.
#include "io/frame_index.h"

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "base/thread_pool.h"
#include "io/internal/frames.h"
#include "io/uri.h"

namespace headrace::io {
namespace {

constexpr std::size_t kHeadBytes = 4;
constexpr std::size_t kScratchBytes = std::size_t{1} << 18;

// What a frame holds, by decompressing it; nothing if it is damaged.
Result<std::optional<std::uint64_t>> measure_frame(const std::string& path,
                                                   const ZstdFrame& frame) {
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<InputStream> stream,
                            open_input(path, frame.begin, frame.end));
  std::string scratch(kScratchBytes, '\0');
  std::uint64_t bytes = 0;
  for (;;) {
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, stream->read(scratch.data(), scratch.size()));
    if (got == 0) break;
    bytes += got;
  }
  if (stream->end() != StreamEnd::kWhole) return std::nullopt;
  return bytes;
}

Result<std::vector<FramePoint>> index_zstd_frames(const RandomFile& file, std::size_t threads) {
  HEADRACE_ASSIGN_OR_RETURN(std::vector<ZstdFrame> frames, walk_zstd_frames(file));
  // Nothing stands behind the last frame: what it holds is not asked for.
  if (frames.empty()) return std::vector<FramePoint>{};
  const auto measure = [&](std::size_t i) -> Result<void> {
    if (frames[i].content_bytes) return {};
    HEADRACE_ASSIGN_OR_RETURN(frames[i].content_bytes, measure_frame(file.path(), frames[i]));
    return {};
  };
  HEADRACE_RETURN_IF_ERROR(parallel_for(frames.size() - 1, threads, {}, measure));
  std::vector<FramePoint> points;
  std::uint64_t decompressed = 0;
  for (const ZstdFrame& frame : frames) {
    points.push_back({frame.begin, decompressed});
    if (!frame.content_bytes) break;
    decompressed += *frame.content_bytes;
  }
  return points;
}

}  // namespace

Result<FrameIndex> index_frames(const std::string& path, const FrameIndexOptions& options) {
  FrameIndex index;
  index.points.push_back({});
  if (is_remote(path)) return index;
  HEADRACE_ASSIGN_OR_RETURN(const RandomFile file, RandomFile::open(path));
  char head[kHeadBytes];
  if (file.bytes() < sizeof head) return index;
  HEADRACE_RETURN_IF_ERROR(file.read(0, head));
  index.codec = codec_of({head, sizeof head});
  std::vector<FramePoint> found;
  if (index.codec == Codec::kGzip) {
    HEADRACE_ASSIGN_OR_RETURN(found, index_gzip_members(file, options.patience_bytes));
  } else if (index.codec == Codec::kZstd) {
    HEADRACE_ASSIGN_OR_RETURN(found, index_zstd_frames(file, options.threads));
  }
  // Of the points behind frames that hold nothing one is enough.
  for (const FramePoint& point : found) {
    if (point.decompressed > index.points.back().decompressed) index.points.push_back(point);
  }
  return index;
}

}  // namespace headrace::io
