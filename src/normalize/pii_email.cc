// SPDX-License-Identifier: Apache-2.0
// E-mail addresses: NAME@LABEL.LABEL, in ASCII (RFC 5321 4.1.2 without quoted names and address
// literals, which nobody publishes).
//
// Not masked, though they have that shape: user information of a URL and what ssh and git connect
// to (git@host:path), names of the fediverse (@name@host), file names (icon@2x.png), products of
// matrices and other calls (a@b.inv()).
#include <array>

#include "normalize/internal/pii.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kMaxName = 64;   // RFC 5321 4.5.3.1.1
constexpr std::size_t kMaxLabel = 63;  // RFC 1035 2.3.4
constexpr std::size_t kMaxTopLevel = 24;

bool is_name(char c) { return is_word(c) || c == '.' || c == '%' || c == '+' || c == '-'; }
bool is_label(char c) { return is_digit(c) || is_letter(c) || c == '-'; }

bool is_file_ending(std::string_view label) {
  constexpr std::array<std::string_view, 14> kEndings = {"png", "jpg", "jpeg", "gif",  "webp",
                                                         "svg", "css", "scss", "html", "htm",
                                                         "js",  "ts",  "json", "xml"};
  return std::find(kEndings.begin(), kEndings.end(), label) != kEndings.end();
}

bool good_name(std::string_view name) {
  return !name.empty() && name.size() <= kMaxName && name.front() != '.' && name.back() != '.' &&
         name.find("..") == std::string_view::npos;
}

// End of the domain at `begin`; `begin` when there is none.
std::size_t domain_end(const MaskedText& text, std::size_t begin) {
  std::size_t last = begin;
  std::size_t end = begin;
  std::size_t labels = 0;
  for (std::size_t i = begin;; i = end + 1) {
    end = i;
    while (is_label(text.at(end)) && end - i <= kMaxLabel) ++end;
    if (end == i || end - i > kMaxLabel || text.at(i) == '-') return begin;
    last = i;
    ++labels;
    if (text.at(end) != '.' || !is_label(text.at(end + 1)) || text.at(end + 1) == '-') break;
    if (text.text[end - 1] == '-') return begin;
  }
  while (end > last && text.text[end - 1] == '-') --end;
  const std::string_view top = text.text.substr(last, end - last);
  const bool letters = std::all_of(top.begin(), top.end(), is_letter);
  const bool good = labels >= 2 && letters && top.size() >= 2 && top.size() <= kMaxTopLevel;
  return good && !is_file_ending(top) ? end : begin;
}

}  // namespace

std::size_t end_of_email_name(const MaskedText& text, std::size_t i) {
  std::size_t end = i;
  while (is_name(text.at(end)) && end - i <= kMaxName) ++end;
  return text.at(end) == '@' ? end : i;
}

Span find_email(const MaskedText& text, std::size_t at) {
  std::size_t begin = at;
  while (begin > text.floor && is_name(text.text[begin - 1]) && at - begin <= kMaxName) --begin;
  const std::string_view name = text.text.substr(begin, at - begin);
  if (!good_name(name)) return {};
  const char before = text.before(begin);
  if (before == '/' || before == '@') return {};
  if (before == ':') {  // scheme://user:password@host
    const std::string_view left = text.left_of(begin, kMaxName);
    const std::size_t scheme = left.rfind("://");
    if (scheme != std::string_view::npos && left.find_first_of(" \t\n", scheme) == left.npos)
      return {};
  }
  const std::size_t end = domain_end(text, at + 1);
  if (end == at + 1) return {};
  const char after = text.at(end);
  if (is_word(after) || after == '@' || after == '(') return {};
  const char path = text.at(end + 1);
  if (after == ':' && (path == '/' || path == '~' || name == "git" || name == "hg")) return {};
  return {begin, end};
}

}  // namespace headrace::normalize::internal
