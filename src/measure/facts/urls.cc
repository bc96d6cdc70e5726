// SPDX-License-Identifier: Apache-2.0
// A URL shows itself at the ':' of "http://" or at the first '.' of "www.": both are rare, so the
// rest is looked at only there.
#include "measure/facts/urls.h"

#include <string_view>

namespace headrace::measure {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool is_alnum(char c) {
  const char small = lower(c);
  return (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z');
}

// Printable ASCII that RFC 3986 knows, with % for what is encoded.
bool may_stand_in_url(char c) {
  return c > ' ' && c < 127 && std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
}

// Ends a sentence or closes a bracket rather than being the last character of a URL.
bool may_follow_url(char c) {
  return std::string_view(".,;:!?')]*").find(c) != std::string_view::npos;
}

// `word` ends before `end`, begins at or behind `from`, and no letter or digit stands before it.
bool word_before(std::string_view text, std::size_t end, std::size_t from, std::string_view word) {
  if (end < from + word.size()) return false;
  const std::size_t begin = end - word.size();
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(text[begin + i]) != word[i]) return false;
  }
  return begin == from || !is_alnum(text[begin - 1]);
}

}  // namespace

void UrlFinder::mark_at(std::uint32_t position) {
  if (position < end_) return;
  const std::string_view text = view_.text;
  if (text[position] == '.') {
    if (position + 1 < text.size() && is_alnum(text[position + 1]) &&
        word_before(text, position, end_, "www")) {
      take(position - 3, position + 1);
    }
  } else if (text.substr(position + 1, 2) == "//") {
    for (const std::string_view scheme : {std::string_view("http"), std::string_view("https")}) {
      if (!word_before(text, position, end_, scheme)) continue;
      take(position - static_cast<std::uint32_t>(scheme.size()), position + 3);
      return;
    }
  }
}

// The URL from `begin` is known as far as `from`; it needs a character more.
void UrlFinder::take(std::uint32_t begin, std::uint32_t from) {
  const std::string_view text = view_.text;
  std::uint32_t end = from;
  while (end < text.size() && may_stand_in_url(text[end])) ++end;
  while (end > from && may_follow_url(text[end - 1])) --end;
  if (end == from) return;
  end_ = end;
  ++urls_;
  bytes_ += end - begin;
}

}  // namespace headrace::measure
