// SPDX-License-Identifier: Apache-2.0
#include "read/internal/warc_starts.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "read/internal/header_lines.h"

namespace headrace::read {
namespace {

constexpr std::uint64_t kSmallestDate = 12;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_date(std::string_view text) {
  return text.size() >= kSmallestDate && std::all_of(text.begin(), text.end(), is_digit);
}

}  // namespace

bool is_version_line(std::string_view bytes) {
  constexpr std::string_view kName = "WARC/";
  if (!bytes.starts_with(kName)) return false;
  const std::size_t newline = bytes.substr(0, 32).find('\n');
  if (newline == bytes.npos) return false;
  const std::string_view version = trim_line_end(bytes.substr(kName.size(), newline - 4));
  return version.size() >= 3 && is_digit(version[0]) && version[1] == '.' && is_digit(version[2]);
}

bool parse_arc_line(std::string_view line, ArcLine* arc) {
  constexpr std::size_t kFields = 10;
  line = trim_line_end(line);
  // From the right, as blanks may stand in the URL only. rest[i] is what lies left of word i.
  std::array<std::string_view, kFields> words;
  std::array<std::string_view, kFields> rest;
  std::size_t count = 0;
  while (count < kFields) {
    const std::size_t blank = line.rfind(' ');
    if (blank == line.npos) break;
    words[count] = line.substr(blank + 1);
    line = line.substr(0, blank);
    rest[count++] = line;
  }
  for (const std::size_t date : {std::size_t{2}, std::size_t{7}}) {
    if (count < date + 2 || !is_date(words[date])) continue;
    *arc = {rest[date + 1], words[date + 1], words[date], words[date - 1], words[0]};
    const std::size_t colon = arc->url.find(':');
    return colon != arc->url.npos && colon > 0 && arc->url.find('<') == arc->url.npos;
  }
  return false;
}

bool starts_record(std::string_view bytes) {
  if (is_version_line(bytes)) return true;
  ArcLine arc;
  const std::size_t newline = bytes.substr(0, kMostLineBytes).find('\n');
  return newline != bytes.npos && parse_arc_line(bytes.substr(0, newline), &arc);
}

}  // namespace headrace::read
