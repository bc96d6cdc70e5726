// SPDX-License-Identifier: Apache-2.0
#include "measure/testing/slow_urls.h"

#include <cctype>
#include <string_view>

namespace headrace::measure {
namespace {

bool alnum(char c) { return c < 127 && c > 0 && std::isalnum(c) != 0; }

bool starts(const std::string& text, std::size_t at, std::string_view word) {
  if (at + word.size() > text.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (std::tolower(static_cast<unsigned char>(text[at + i])) != word[i]) return false;
  }
  return true;
}

// Characters up to which a URL is known that begins at `at`; 0 for none.
std::size_t prefix(const std::string& text, std::size_t at) {
  if (at > 0 && alnum(text[at - 1])) return 0;
  if (starts(text, at, "http://")) return 7;
  if (starts(text, at, "https://")) return 8;
  return starts(text, at, "www.") && at + 4 < text.size() && alnum(text[at + 4]) ? 4 : 0;
}

}  // namespace

std::pair<std::size_t, std::size_t> slow_urls(const std::string& text) {
  std::pair<std::size_t, std::size_t> found;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t known = prefix(text, at);
    std::size_t end = at + known;
    while (known > 0 && end < text.size() && text[end] > ' ' && text[end] < 127 &&
           std::string("\"<>\\^`{|}").find(text[end]) == std::string::npos) {
      ++end;
    }
    while (end > at + known && std::string(".,;:!?')]*").find(text[end - 1]) != std::string::npos)
      --end;
    if (known == 0 || end == at + known) {
      ++at;
      continue;
    }
    ++found.first;
    found.second += end - at;
    at = end;
  }
  return found;
}

const std::vector<std::string> kUrlPieces = {
    "http://", "https://", "HTTP://", "www.", "WWW.", "www",   "x",           "a.b/c?d=e&f#g",
    ".",       ",",        ")",       "(",    " ",    "，",    "见",          "\n",
    "://",     ":",        "//",      "http", "<",    "https", "example.com", "é",
    "\"",      "'",        "1"};

}  // namespace headrace::measure
