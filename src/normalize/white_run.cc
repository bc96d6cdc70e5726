// SPDX-License-Identifier: Apache-2.0
#include "normalize/internal/white_run.h"

#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

constexpr char32_t kIdeographicBlank = 0x3000;

bool is_line_end(char32_t c) {
  return (c >= '\n' && c <= '\r') || c == 0x85 || c == 0x2028 || c == 0x2029;
}

bool is_blank(char32_t c) {
  return c == ' ' || c == '\t' || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x202F || c == 0x205F || c == kIdeographicBlank;
}

bool is_white(char32_t c) { return is_blank(c) || is_line_end(c); }

}  // namespace

Run parse_run(std::string_view text, std::size_t begin) {
  Run run;
  run.end = run.indent = begin;
  bool after_return = false;
  while (run.end < text.size()) {
    const CodePoint c = code_point_at(text, run.end);
    if (!is_white(c.value)) break;
    run.end += c.length;
    ++run.points;
    if (is_line_end(c.value)) {
      run.line_feeds += c.value == '\n';
      if (!(c.value == '\n' && after_return)) run.line_ends += c.value == 0x2029 ? 2 : 1;
      run.indent = run.end;
      run.indent_points = 0;
      run.indent_ideographic = false;
    } else {
      run.spaces += c.value == ' ';
      run.tabs += c.value == '\t';
      run.ideographic += c.value == kIdeographicBlank;
      run.indent_ideographic |= c.value == kIdeographicBlank;
      ++run.indent_points;
    }
    after_return = c.value == '\r';
  }
  return run;
}

std::size_t run_begin(std::string_view text, std::size_t at, std::size_t low) {
  while (at > low) {
    const CodePoint c = code_point_before(text, at);
    if (!is_white(c.value)) break;
    at -= c.length;
  }
  return at;
}

bool has_indented_line(std::string_view text, std::size_t from) {
  for (std::size_t i = text.find('\n', from); i < text.size(); i = text.find('\n', i)) {
    const Run run = parse_run(text, i);
    if (run.indent_points > 0 && !run.indent_ideographic && run.end < text.size()) return true;
    i = run.end;
  }
  return false;
}

}  // namespace headrace::normalize::internal
