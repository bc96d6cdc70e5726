// SPDX-License-Identifier: Apache-2.0
#include "read/internal/header_lines.h"

#include <algorithm>
#include <charconv>

namespace headrace::read {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool is_blank_byte(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view trim_blanks(std::string_view text) {
  while (!text.empty() && is_blank_byte(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank_byte(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view trim_line_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  while (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

void HeaderLines::clear() {
  fields_.clear();
  unfolded_.clear();
}

std::size_t HeaderLines::parse(std::string_view bytes) {
  clear();
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const std::size_t newline = bytes.find('\n', taken);
    const std::size_t next = newline == bytes.npos ? bytes.size() : newline + 1;
    const std::string_view line = trim_line_end(bytes.substr(taken, next - taken));
    if (line.empty()) return next;
    if (line.front() == '<') return taken;
    taken = next;
    if (line.front() == ' ' || line.front() == '\t') {
      if (fields_.empty()) continue;
      std::string& whole = unfolded_.emplace_back(fields_.back().value);
      whole += ' ';
      whole += trim_blanks(line);
      fields_.back().value = whole;
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == line.npos) continue;
    fields_.push_back({trim_blanks(line.substr(0, colon)), trim_blanks(line.substr(colon + 1))});
  }
  return taken;
}

std::optional<std::string_view> HeaderLines::find(std::string_view name) const {
  for (const Field& field : fields_) {
    if (equal_ignoring_case(field.name, name)) return field.value;
  }
  return std::nullopt;
}

std::string media_type(std::string_view content_type) {
  std::string type(trim_blanks(content_type.substr(0, content_type.find_first_of(";,"))));
  std::transform(type.begin(), type.end(), type.begin(), lower);
  return type;
}

std::string_view charset_of(std::string_view content_type) {
  std::size_t from = content_type.find(';');
  while (from < content_type.size()) {
    const std::size_t end = std::min(content_type.find(';', from + 1), content_type.size());
    const std::string_view parameter = trim_blanks(content_type.substr(from + 1, end - from - 1));
    const std::size_t equals = parameter.find('=');
    if (equals != parameter.npos &&
        equal_ignoring_case(trim_blanks(parameter.substr(0, equals)), "charset")) {
      std::string_view value = trim_blanks(parameter.substr(equals + 1));
      while (!value.empty() && (value.front() == '"' || value.front() == '\'')) {
        value.remove_prefix(1);
      }
      return trim_blanks(value.substr(0, value.find_first_of("\"',")));
    }
    from = end;
  }
  return "";
}

std::optional<std::uint64_t> parse_digits(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace headrace::read
