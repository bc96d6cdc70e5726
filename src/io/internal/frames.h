// SPDX-License-Identifier: Apache-2.0
// The two halves of a frame index: borders of zstd frames, borders of gzip members.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "headrace/result.h"

#include "io/frame_index.h"
#include "io/internal/codec_stream.h"
#include "io/random_file.h"

namespace headrace::io {

struct ZstdFrame {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::optional<std::uint64_t> content_bytes;  // as its header states them
};

// The frames with content, up to the first that is cut off or whose headers are damaged. Reads
// headers only.
Result<std::vector<ZstdFrame>> walk_zstd_frames(const RandomFile& file);

// Points of all gzip members. See index_frames() for `patience_bytes`.
Result<std::vector<FramePoint>> index_gzip_members(const RandomFile& file,
                                                   std::uint64_t patience_bytes);

// Appends a point for each member of `source` by inflating it; the first stands `decompressed`
// bytes into the file. Gives up on a first member longer than `patience_bytes`. See gzip.cc.
Result<void> inflate_members(BlockSource source, std::uint64_t patience_bytes,
                             std::uint64_t decompressed, std::vector<FramePoint>* points);

}  // namespace headrace::io
