// SPDX-License-Identifier: Apache-2.0
#include "read/internal/line_reader.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "io/file.h"
#include "io/frame_index.h"
#include "io/input_stream.h"
#include "read/internal/line_blocks.h"

namespace headrace::read {

Result<ReadCounts> read_lines(const Split& split, const ReadOptions& options,
                              const FileEncoding& encoding, LineVisitor& visitor,
                              std::stop_token stop) {
  HEADRACE_ASSIGN_OR_RETURN(LineBlocks blocks,
                            LineBlocks::open(split, encoding, options.max_record_bytes));
  ReadCounts counts;
  counts.encoding = encoding.name;
  if (split.begin == 0) {
    counts.notes = encoding.notes;
    counts.bytes = encoding.mark_bytes;
  }
  LineBlock block;
  for (;;) {
    if (stop.stop_requested()) return cancelled("reading {} was stopped", split.path);
    HEADRACE_ASSIGN_OR_RETURN(const bool more, blocks.next(&block));
    if (!more) break;
    const io::StreamEnd end = block.terminated ? io::StreamEnd::kWhole : blocks.end();
    const bool damaged = end == io::StreamEnd::kTruncated || end == io::StreamEnd::kCorrupt;
    counts.bytes += block.length;
    if (block.offset + block.length > DocumentId::kMaxPlace) {
      return unsupported("{} is longer than the 1 TiB that ids can name; split the file",
                         split.path);
    }
    if (block.too_long) {
      HEADRACE_RETURN_IF_ERROR(visitor.line({.bytes = block.bytes,
                                             .offset = block.offset,
                                             .number = ++counts.lines,
                                             .terminated = block.terminated,
                                             .cut_off = damaged,
                                             .too_long = true}));
      continue;
    }
    visitor.begin_block(block.bytes);
    for (std::size_t from = 0; from < block.bytes.size();) {
      const std::size_t at = find_newline(block.bytes, from, encoding.newline);
      const bool terminated = at != std::string_view::npos;
      const std::size_t size = (terminated ? at : block.bytes.size()) - from;
      HEADRACE_RETURN_IF_ERROR(visitor.line({.bytes = block.bytes.substr(from, size),
                                             .offset = block.offset + from,
                                             .number = ++counts.lines,
                                             .terminated = terminated,
                                             .cut_off = !terminated && damaged,
                                             .too_long = size > options.max_record_bytes}));
      from += size + (terminated ? newline_bytes(encoding.newline) : 0);
    }
  }
  // A line that ends in the frames of the next split may lead into damage there: the next split
  // meets it as well and tells of it.
  if (blocks.has_wrong_border()) {
    counts.notes.push_back(
        {"corrupt",
         fmt::format("the frames from offset {} to {} do not hold the {} bytes that "
                     "their headers state: lines may be lost",
                     split.begin, split.end, split.decompressed_end - split.decompressed_begin)});
  }
  if (blocks.reached_end_of_file() && !blocks.is_behind_border()) {
    note_end(split, counts.bytes, blocks.end(), blocks.end_detail(), &counts.notes);
  }
  return counts;
}

namespace {

// Cuts a compressed file at frames or members, a split whenever target_bytes of what is inside are
// full.
Result<std::vector<Split>> split_frames(const Split& whole, std::uint64_t target_bytes) {
  HEADRACE_ASSIGN_OR_RETURN(const io::FrameIndex index, io::index_frames(whole.path));
  std::vector<Split> splits{whole};
  for (const io::FramePoint& point : index.points) {
    Split& last = splits.back();
    if (point.decompressed - last.decompressed_begin < target_bytes) continue;
    last.end = point.compressed;
    last.decompressed_end = point.decompressed;
    last.bytes = last.end - last.begin;
    splits.push_back({whole.path, whole.file, point.compressed, whole.end,
                      whole.end - point.compressed, point.decompressed});
  }
  return splits;
}

}  // namespace

Result<std::vector<Split>> split_lines(const std::string& path, std::uint64_t file,
                                       std::uint64_t target_bytes, const ReadOptions& options,
                                       const DecoderFactory& decoders) {
  HEADRACE_ASSIGN_OR_RETURN(const io::FileInfo info, io::file_info(path));
  if (info.is_directory) return invalid_argument("{} is a folder, not a file", path);
  std::vector<Split> splits{{path, file, 0, info.bytes, info.bytes}};
  if (info.bytes <= target_bytes || target_bytes == 0) return splits;
  HEADRACE_ASSIGN_OR_RETURN(const std::unique_ptr<io::InputStream> stream, io::open_input(path));
  const bool compressed = stream->codec() != io::Codec::kNone;
  HEADRACE_ASSIGN_OR_RETURN(const FileEncoding encoding, decide_encoding(path, options, decoders));
  if (encoding.newline != Newline::kByte) return splits;
  if (compressed) return split_frames(splits.front(), target_bytes);
  splits.clear();
  for (std::uint64_t begin = 0; begin < info.bytes; begin += target_bytes) {
    const std::uint64_t end = std::min(begin + target_bytes, info.bytes);
    splits.push_back({path, file, begin, end, end - begin});
  }
  return splits;
}

void note_end(const Split& split, std::uint64_t decompressed_bytes, io::StreamEnd end,
              std::string_view end_detail, std::vector<FileNote>* notes) {
  const auto note = [&](std::string kind, std::string_view detail) {
    notes->push_back({std::move(kind), std::string(detail)});
  };
  switch (end) {
    case io::StreamEnd::kTruncated:
      return note("truncated", end_detail);
    case io::StreamEnd::kCorrupt:
      return note("corrupt", end_detail);
    case io::StreamEnd::kTrailingGarbage:
      return note("trailing_garbage", end_detail);
    case io::StreamEnd::kWhole:
      break;
  }
  if (decompressed_bytes > 0 || split.begin > 0) return;
  if (split.end == 0 && !io::compression_extension(split.path).empty()) {
    note("empty_file", "the file has 0 bytes, not even the header of its codec");
  } else {
    note("valid_empty", "the file holds nothing");
  }
}

std::string_view strip_carriage_return(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r\n\f\v") == line.npos; }

}  // namespace headrace::read
