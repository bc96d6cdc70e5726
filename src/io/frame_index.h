// SPDX-License-Identifier: Apache-2.0
// Where decoding a compressed file may start: the borders of its zstd frames or gzip members, with
// their place in the decompressed file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "headrace/result.h"

#include "io/input_stream.h"

namespace headrace::io {

struct FramePoint {
  std::uint64_t compressed = 0;
  std::uint64_t decompressed = 0;
  bool operator==(const FramePoint&) const = default;
};

struct FrameIndex {
  Codec codec = Codec::kNone;
  // Rising in both offsets; {0, 0} is the first. Alone it says that the file can not be cut:
  // uncompressed, one frame, one member.
  std::vector<FramePoint> points;
};

// Speed only, but for patience_bytes, which decides how many points there are.
struct FrameIndexOptions {
  std::size_t threads = 1;
  // A gzip file whose first member is not over after so many compressed bytes is taken to have one:
  // nothing but inflating it all would tell, and its points would be too far apart to be of use.
  std::uint64_t patience_bytes = 64 << 20;
};

// Finds the points of a file. Damage is no error: the points end in front of it where it is seen.
// What it costs: zstd, a read of a few bytes for each block of 128 KiB, and decompressing the
// frames that do not state their size; gzip, two small reads a member for BGZF (bgzip), inflating
// the file for any other. A remote file is not looked into: each of these reads would be a request.
Result<FrameIndex> index_frames(const std::string& path, const FrameIndexOptions& options = {});

}  // namespace headrace::io
