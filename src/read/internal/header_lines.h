// SPDX-License-Identifier: Apache-2.0
// "Name: value" lines, as WARC and HTTP have them.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::read {

// Single-threaded; views point into what was parsed.
class HeaderLines {
 public:
  // Parses lines up to an empty one, which may end in LF or CRLF (or more CRs), and returns the
  // bytes taken, the empty line included. Lines that begin with a blank go on the one before; a
  // line without a colon is passed over, or, where it begins with '<', the lines have ended in
  // front of it: servers forget the empty line.
  std::size_t parse(std::string_view bytes);
  void clear();

  // The value of the first field of that name, in any case; nothing if there is none.
  std::optional<std::string_view> find(std::string_view name) const;
  std::string_view get(std::string_view name) const { return find(name).value_or(""); }

 private:
  struct Field {
    std::string_view name;
    std::string_view value;
  };
  std::vector<Field> fields_;
  std::deque<std::string> unfolded_;
};

bool equal_ignoring_case(std::string_view a, std::string_view b);
// Without white space of ASCII at both ends.
std::string_view trim_blanks(std::string_view text);
// Without '\n' and the '\r's before it.
std::string_view trim_line_end(std::string_view line);

// "text/html" of "Text/HTML; charset=x", in lower case.
std::string media_type(std::string_view content_type);
// "x" of "text/html; charset=x" or charset="x"; "" if there is none.
std::string_view charset_of(std::string_view content_type);

// Digits and nothing else, of a value that 64 bits hold.
std::optional<std::uint64_t> parse_digits(std::string_view text);

}  // namespace headrace::read
