// SPDX-License-Identifier: Apache-2.0
// Own code rather than fnmatch(3), which follows the locale: there a `?` is a byte in one and a
// character in another, and ranges differ.
#include "io/internal/pattern.h"

namespace headrace::io {
namespace {

// One code point, or one byte where the name is not UTF-8.
char32_t take_character(std::string_view* text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>((*text)[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0xC2 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  char32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
  bool valid = length == 1 || (lead < 0xF5 && text->size() >= length);
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0) == 0x80;
    value = value << 6 | (byte(i) & 0x3Fu);
  }
  text->remove_prefix(valid ? length : 1);
  return valid ? value : char32_t{0x110000} + lead;
}

// Matches the set that starts after '[' against `c`; false through `closed` when no ']' follows.
bool match_set(std::string_view* pattern, char32_t c, bool* closed) {
  std::string_view rest = *pattern;
  const bool negated = !rest.empty() && (rest[0] == '!' || rest[0] == '^');
  if (negated) rest.remove_prefix(1);
  bool found = false;
  for (bool first = true; !rest.empty(); first = false) {
    if (rest[0] == ']' && !first) {
      rest.remove_prefix(1);
      *pattern = rest;
      *closed = true;
      return found != negated;
    }
    const char32_t low = take_character(&rest);
    char32_t high = low;
    if (rest.size() >= 2 && rest[0] == '-' && rest[1] != ']') {
      rest.remove_prefix(1);
      high = take_character(&rest);
    }
    found = found || (low <= c && c <= high);
  }
  *closed = false;
  return false;
}

// One pattern element that is not '*' against the front of `name`; takes both on a match.
bool match_one(std::string_view* pattern, std::string_view* name) {
  std::string_view rest = *pattern;
  std::string_view left = *name;
  const char32_t c = take_character(&left);
  const char32_t p = take_character(&rest);
  bool matches = p == c;
  if (p == U'?') {
    matches = true;
  } else if (p == U'[') {
    bool closed = false;
    std::string_view after = rest;
    const bool in_set = match_set(&after, c, &closed);
    if (closed) {  // else '[' is itself
      matches = in_set;
      rest = after;
    }
  } else if (p == U'\\' && !rest.empty()) {
    matches = take_character(&rest) == c;
  }
  if (!matches) return false;
  *pattern = rest;
  *name = left;
  return true;
}

}  // namespace

// '*' needs only the last one seen to be retried: linear memory, at most quadratic time.
bool match_name(std::string_view pattern, std::string_view name) {
  if (name.starts_with('.') && !pattern.starts_with('.')) return false;
  std::string_view retry_pattern;
  std::string_view retry_name;
  bool can_retry = false;
  while (!name.empty() || !pattern.empty()) {
    if (pattern.starts_with('*')) {
      pattern.remove_prefix(1);
      retry_pattern = pattern;
      retry_name = name;
      can_retry = true;
      continue;
    }
    if (!pattern.empty() && !name.empty() && match_one(&pattern, &name)) continue;
    if (!can_retry || retry_name.empty()) return false;
    take_character(&retry_name);
    name = retry_name;
    pattern = retry_pattern;
  }
  return true;
}

bool has_wildcard(std::string_view part) { return part.find_first_of("*?[\\") != part.npos; }

// "/a//b/*.x" → root "/", parts {"a", "b", "*.x"}.
std::vector<std::string> cut_pattern(std::string_view pattern) {
  std::vector<std::string> parts;
  while (!pattern.empty()) {
    const std::size_t slash = pattern.find('/');
    const std::string_view part = pattern.substr(0, slash);
    if (!part.empty()) parts.emplace_back(part);
    pattern.remove_prefix(slash == pattern.npos ? pattern.size() : slash + 1);
  }
  return parts;
}

}  // namespace headrace::io
