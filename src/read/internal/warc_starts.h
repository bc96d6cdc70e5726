// SPDX-License-Identifier: Apache-2.0
// How a WARC or ARC record begins.
#pragma once

#include <cstddef>
#include <string_view>

namespace headrace::read {

// The longest first line of a record.
inline constexpr std::size_t kMostLineBytes = std::size_t{1} << 16;

// The line in front of an ARC record.
struct ArcLine {
  std::string_view url;
  std::string_view ip;
  std::string_view date;  // 14 digits
  std::string_view type;
  std::string_view length;
};

// Version 1 (url ip date type length) and 2 (with code, checksum, location, offset and file name
// before the length); a URL may hold blanks. False if `line` is neither.
bool parse_arc_line(std::string_view line, ArcLine* arc);

// Whether `bytes` begin with the first line of a WARC or ARC record; they must hold all of it.
bool starts_record(std::string_view bytes);

// Whether `bytes` begin with "WARC/1.0" or another version, and its line end.
bool is_version_line(std::string_view bytes);

inline bool is_line_end(char c) { return c == '\r' || c == '\n'; }

}  // namespace headrace::read
