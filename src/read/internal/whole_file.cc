// SPDX-License-Identifier: Apache-2.0
#include "read/internal/whole_file.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/input_stream.h"
#include "read/internal/line_reader.h"

namespace headrace::read {
namespace {

constexpr std::size_t kFrontBytes = std::size_t{1} << 16;
constexpr std::size_t kReadBytes = std::size_t{1} << 18;

}  // namespace

Result<void> WholeFile::read(const Split& split, std::uint64_t max_bytes,
                             const std::stop_token& stop) {
  bytes_.clear();
  counts_ = {};
  fault_ = {};
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<io::InputStream> stream,
                            io::open_input(split.path));
  std::string block(kReadBytes, '\0');
  for (;;) {
    if (stop.stop_requested()) return cancelled("reading {} was stopped", split.path);
    HEADRACE_ASSIGN_OR_RETURN(const std::size_t got, stream->read(block.data(), block.size()));
    if (got == 0) break;
    const std::string_view piece(block.data(), got);
    counts_.bytes += got;
    counts_.lines += static_cast<std::uint64_t>(std::count(piece.begin(), piece.end(), '\n'));
    if (counts_.bytes <= max_bytes) {
      bytes_ += piece;
    } else {
      bytes_.resize(std::min(bytes_.size(), kFrontBytes));
      bytes_ += piece.substr(0, kFrontBytes - bytes_.size());
    }
  }
  note_end(split, counts_.bytes, stream->end(), stream->end_detail(), &counts_.notes);
  if (counts_.bytes > max_bytes) {
    fault_ = rejected(Rejection::kDrop, "record_too_long",
                      fmt::format("the file is longer than {} bytes", max_bytes));
  } else if (stream->end() == io::StreamEnd::kTruncated ||
             stream->end() == io::StreamEnd::kCorrupt) {
    fault_ = rejected(Rejection::kQuarantine, "truncated", stream->end_detail());
  }
  return {};
}

RejectedRecord WholeFile::rejected(Rejection kind, std::string_view reason,
                                   std::string detail) const {
  RejectedRecord record;
  record.kind = kind;
  record.reason = reason;
  record.detail = std::move(detail);
  record.line = 1;
  record.bytes = bytes_;
  return record;
}

Result<std::vector<Split>> one_split(const std::string& path, std::uint64_t file) {
  HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(path));
  if (info.is_directory) return invalid_argument("{} is a folder, not a file", path);
  return std::vector<Split>{{path, file, 0, info.bytes, info.bytes}};
}

}  // namespace headrace::read
