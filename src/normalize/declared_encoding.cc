// SPDX-License-Identifier: Apache-2.0
// What somebody says about the encoding of a text: a protocol header, or the text itself.
//
// HTML says it by <meta charset=...> or <meta http-equiv ... content="...; charset=...">, XML by
// <?xml ... encoding="...">, in its first 4 KiB. Whoever says it is often wrong: servers have
// defaults, pages are copied from one site to another, and tools that convert a page forget this
// line. So a declaration is worth some bits of evidence: enough to decide a page with a dozen
// characters, never enough against a hundred. The names that are servers' defaults are worth less.
#include <algorithm>
#include <array>

#include "normalize/internal/encodings.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kLookedAt = 4096;
constexpr std::size_t kBeforeMarkup = 1024;  // a page begins with a tag before that
constexpr std::size_t kLongestLabel = 40;
constexpr double kByHeader = 8;
constexpr double kByMarkup = 10;
constexpr double kByDefault = 4;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_of_label(char c) {
  return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') ||
         std::string_view("-_:.()").find(c) != std::string_view::npos;
}

std::size_t skip(std::string_view head, std::size_t i, std::string_view characters) {
  return std::min(head.find_first_not_of(characters, i), head.size());
}

// The value in `name = "value"` at `i`, where `name` may stand; "" if it does not.
std::string_view value_at(std::string_view head, std::size_t i, std::string_view name) {
  if (head.size() - i < name.size()) return {};
  for (std::size_t k = 0; k < name.size(); ++k) {
    if (lower(head[i + k]) != name[k]) return {};
  }
  i = skip(head, i + name.size(), " \t\r\n");
  if (i == head.size() || head[i] != '=') return {};
  i = skip(head, i + 1, " \t\r\n\"'");
  const std::size_t begin = i;
  while (i < head.size() && i - begin < kLongestLabel && is_of_label(head[i])) ++i;
  return head.substr(begin, i - begin);
}

// <?xml version="1.0" encoding="..."?> at the very start.
std::string_view of_xml(std::string_view head) {
  if (!head.starts_with("<?xml")) return {};
  const std::string_view line = head.substr(0, head.find('>'));
  for (std::size_t i = 5; i < line.size(); ++i) {
    if (lower(line[i]) != 'e') continue;
    if (const std::string_view label = value_at(line, i, "encoding"); !label.empty()) return label;
  }
  return {};
}

// charset=... in a tag <meta ...>.
std::string_view of_meta(std::string_view head) {
  for (std::size_t at = head.find('<'); at < head.size(); at = head.find('<', at + 1)) {
    const std::string_view tag = head.substr(at, head.find('>', at) - at);
    constexpr std::string_view kMeta = "<meta";
    const bool is_meta = tag.size() > kMeta.size() && !is_of_label(tag[kMeta.size()]) &&
                         std::equal(kMeta.begin(), kMeta.end(), tag.begin(),
                                    [](char a, char b) { return a == lower(b); });
    for (std::size_t i = kMeta.size(); is_meta && i < tag.size(); ++i) {
      if (lower(tag[i]) != 'c' || is_of_label(tag[i - 1])) continue;
      if (const auto label = value_at(tag, i, "charset"); !label.empty()) return label;
    }
  }
  return {};
}

std::string_view of_markup(std::string_view head) {
  while (!head.empty() && is_blank(head.front())) head.remove_prefix(1);
  head = head.substr(0, kLookedAt);
  if (head.find('<') >= kBeforeMarkup) return {};
  const std::string_view label = of_xml(head);
  return label.empty() ? of_meta(head) : label;
}

}  // namespace

Declaration find_declaration(std::string_view head, const EncodingHints& hints) {
  Declaration declaration{std::string(hints.declared), {}, kByHeader};
  if (declaration.label.empty() && hints.markup) {
    declaration = {std::string(of_markup(head)), {}, kByMarkup};
  }
  if (declaration.label.empty()) return {};
  if (const Result<Encoding> encoding = resolve_encoding(declaration.label); encoding) {
    declaration.encoding = encoding->name;
  }
  // As the Web has it, the first is read as the second.
  if (declaration.encoding == "iso-8859-1" || declaration.encoding == "us-ascii") {
    declaration.encoding = "windows-1252";
  }
  if (declaration.encoding == "windows-1252") declaration.bits = kByDefault;
  return declaration;
}

}  // namespace headrace::normalize::internal
