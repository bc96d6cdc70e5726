// SPDX-License-Identifier: Apache-2.0
// Pages beyond the bounds of the parser: no article, but a log or a dump in tags, or made to hurt.
// They are cut and read piece by piece. A scan that knows comments and the elements that hold raw
// text finds the places to cut; no piece shows the other half of a script. Linear: what closes a
// comment or a script is looked for once, and not again when it is known to be missing.
#include <algorithm>
#include <array>

#include "normalize/internal/html_text.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::string_view kRawText[] = {"script", "style", "textarea", "title", "xmp"};

constexpr std::string_view kNameEnds = " \t\r\n\f/><";

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool has_word_at(std::string_view text, std::size_t at, std::string_view word) {
  if (at > text.size() || text.size() - at < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(text[at + i]) != word[i]) return false;
  }
  return true;
}

class Scanner {
 public:
  explicit Scanner(std::string_view html) : html_(html) {}

  // The first "<" at or after `from` that is not inside a comment or raw text.
  std::size_t next_tag(std::size_t from) const {
    return std::min(html_.find('<', std::min(from, html_.size())), html_.size());
  }

  // Where to go on after the tag at `at`: past a comment or an element of raw text.
  std::size_t after_tag(std::size_t at) {
    if (has_word_at(html_, at, "<!--")) return past("-->", at + 4, &no_comment_end_);
    for (std::size_t i = 0; i < std::size(kRawText); ++i) {
      if (has_word_at(html_, at + 1, kRawText[i])) return past_end_tag(i, at + 1);
    }
    return at + 1;
  }

 private:
  std::size_t past(std::string_view end, std::size_t from, bool* missing) const {
    if (*missing) return from;
    const std::size_t found = html_.find(end, from);
    *missing = found == std::string_view::npos;
    return *missing ? from : found + end.size();
  }

  std::size_t past_end_tag(std::size_t name, std::size_t from) {
    if (no_end_tag_[name]) return from;
    for (std::size_t i = html_.find("</", from); i != std::string_view::npos;
         i = html_.find("</", i + 2)) {
      if (has_word_at(html_, i + 2, kRawText[name])) return i + 2;
    }
    no_end_tag_[name] = true;
    return from;
  }

  std::string_view html_;
  bool no_comment_end_ = false;
  std::array<bool, std::size(kRawText)> no_end_tag_{};
};

// The bytes of a piece that has no place to cut, moved back to the beginning of a character.
std::size_t character_begin(std::string_view html, std::size_t at) {
  while (at > 0 && at < html.size() && (static_cast<unsigned char>(html[at]) & 0xC0) == 0x80) --at;
  return at;
}

}  // namespace

bool has_many_names(std::string_view html) {
  constexpr std::size_t kManyNames = 1024;
  std::vector<bool> seen(1 << 16);
  std::size_t names = 0;
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at)) {
    ++at;
    if (at < html.size() && html[at] == '/') ++at;
    std::uint32_t hash = 2166136261U;
    while (at < html.size() && kNameEnds.find(html[at]) == std::string_view::npos) {
      hash = (hash ^ static_cast<unsigned char>(html[at++])) * 16777619U;
    }
    const std::size_t slot = (hash ^ hash >> 16) % seen.size();
    if (seen[slot]) continue;
    seen[slot] = true;
    if (++names > kManyNames) return true;
  }
  return false;
}

std::vector<std::string_view> html_pieces(std::string_view html, std::size_t max_bytes,
                                          std::size_t max_tags) {
  std::vector<std::string_view> pieces;
  Scanner scanner(html);
  std::size_t begin = 0;
  std::size_t tags = 0;
  const auto cut = [&](std::size_t end) {
    for (; end - begin > max_bytes;) {
      const std::size_t part = character_begin(html, begin + max_bytes);
      pieces.push_back(html.substr(begin, part - begin));
      begin = part;
    }
    if (end > begin) pieces.push_back(html.substr(begin, end - begin));
    begin = end;
    tags = 0;
  };
  std::size_t last = 0;
  for (std::size_t at = scanner.next_tag(0); at < html.size();) {
    const std::size_t next = scanner.next_tag(scanner.after_tag(at));
    ++tags;
    if (next - begin > max_bytes && last > begin) cut(last);
    if (tags >= max_tags) cut(next);
    last = at = next;
  }
  cut(html.size());
  return pieces;
}

}  // namespace headrace::normalize::internal
