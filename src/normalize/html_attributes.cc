// SPDX-License-Identifier: Apache-2.0
// One look at each attribute.
#include "normalize/internal/html_attributes.h"

#include "normalize/internal/html_weight.h"

namespace headrace::normalize::internal {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

// `property: value` somewhere in a style, in any case and spacing.
bool has_declaration(std::string_view style, std::string_view property, std::string_view value) {
  const auto matches = [&](std::size_t at, std::string_view word) {
    if (style.size() - at < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (lower(style[at + i]) != word[i]) return false;
    }
    return true;
  };
  const auto skip_blanks = [&](std::size_t at) {
    while (at < style.size() && white_length(style, at) > 0) at += white_length(style, at);
    return at;
  };
  for (std::size_t i = 0; i + property.size() < style.size(); ++i) {
    if (!matches(i, property)) continue;
    std::size_t at = skip_blanks(i + property.size());
    if (at >= style.size() || style[at] != ':') continue;
    at = skip_blanks(at + 1);
    if (at < style.size() && matches(at, value)) return true;
  }
  return false;
}

}  // namespace

HtmlAttributes read_attributes(const HtmlNode* node) {
  HtmlAttributes out;
  for (const HtmlAttribute* a = first_attribute(node); a != nullptr; a = a->next) {
    const std::string_view key = view_of(a->key);
    const std::string_view value = view_of(a->value);
    out.any = true;
    out.any_value |= !value.empty();
    if (key == "class") {
      out.names.classes = value;
    } else if (key == "id") {
      out.names.id = value;
    } else if (key == "href") {
      out.href = value;
      out.has_href = true;
    } else if (key == "style") {
      out.style = value;
    } else if (key == "role") {
      out.names.role = value;
    } else if (key == "itemprop") {
      out.names.itemprop = value;
    } else if (key == "alt") {
      out.alternative = value;
    } else if (key == "hidden") {
      out.hidden = true;
    }
  }
  if (!out.style.empty() && !out.hidden) {
    out.hidden = has_declaration(out.style, "display", "none") ||
                 has_declaration(out.style, "visibility", "hidden");
  }
  return out;
}

}  // namespace headrace::normalize::internal
