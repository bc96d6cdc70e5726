// SPDX-License-Identifier: Apache-2.0
// What the targets of compressed files share: the input as a file, read whole in pieces of any
// size, and the check of a frame index against that reading.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <unistd.h>

#include "check.h"
#include "io/frame_index.h"
#include "io/input_stream.h"

namespace headrace::fuzz {

// Inputs that decompress to more are not looked at: they cost time and find nothing.
inline constexpr std::size_t kMostDecompressed = std::size_t{1} << 18;

class InputFile {
 public:
  InputFile(std::string_view name, std::string_view bytes)
      : path_((std::filesystem::temp_directory_path() /
               ("headrace-fuzz-" + std::to_string(::getpid()) + std::string(name)))
                  .string()) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Reading {
  std::string bytes;
  io::StreamEnd end = io::StreamEnd::kWhole;
  bool too_long = false;  // `bytes` are the first, the rest was not read
};

// The bytes [begin, end) of a file, decompressed into a buffer of `step` bytes.
inline Reading read_stream(const std::string& path, std::size_t step, std::uint64_t begin = 0,
                           std::uint64_t end = 0) {
  Reading reading;
  const auto stream = io::open_input(path, begin, end);
  check(stream.has_value(), "a local file opens");
  // Of its size exactly, so that a sanitizer sees a write past its end.
  const auto buffer = std::make_unique<char[]>(step);
  for (;;) {
    const auto got = (*stream)->read(buffer.get(), step);
    check(got.has_value(), "damage is no error");
    check(*got <= step, "no more than asked for");
    if (*got == 0) break;
    reading.bytes.append(buffer.get(), *got);
    reading.too_long = reading.bytes.size() > kMostDecompressed;
    if (reading.too_long) return reading;
  }
  reading.end = (*stream)->end();
  check((reading.end == io::StreamEnd::kWhole) == (*stream)->end_detail().empty(),
        "a bad end is told");
  return reading;
}

// The pieces between the points of an index are those of the file, as far as the frames in front of
// them hold what their headers state.
inline void check_index(const std::string& path, std::uint64_t file_bytes, const Reading& whole) {
  const auto index = io::index_frames(path);
  check(index.has_value(), "damage is no error");
  const auto& points = index->points;
  check(!points.empty() && points[0] == io::FramePoint{}, "the first point is the file's start");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool last = i + 1 == points.size();
    const std::uint64_t end = last ? file_bytes : points[i + 1].compressed;
    check(points[i].compressed < end || file_bytes == 0, "points rise inside the file");
    check(last || points[i].decompressed < points[i + 1].decompressed, "points rise");
    const Reading piece = read_stream(path, 4096, points[i].compressed, last ? 0 : end);
    const std::uint64_t begin = points[i].decompressed;
    const std::uint64_t stated = last ? piece.bytes.size() : points[i + 1].decompressed - begin;
    check(
        begin <= whole.bytes.size() && whole.bytes.substr(begin, piece.bytes.size()) == piece.bytes,
        "a piece is what the file holds there");
    if (last) check(piece.end == whole.end, "the file ends as its last piece does");
    if (piece.end != io::StreamEnd::kWhole || piece.bytes.size() != stated) return;
  }
}

}  // namespace headrace::fuzz
