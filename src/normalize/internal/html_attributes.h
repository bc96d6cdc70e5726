// SPDX-License-Identifier: Apache-2.0
// The attributes of an element that the walk asks about.
#pragma once

#include <string_view>

#include "normalize/internal/html_hints.h"
#include "normalize/internal/html_parser.h"

namespace headrace::normalize::internal {

struct HtmlAttributes {
  HtmlNames names;
  std::string_view style;
  std::string_view href;
  std::string_view alternative;
  bool has_href = false;
  bool hidden = false;  // by attribute or style; aria-hidden is not hidden
  bool any = false;
  bool any_value = false;  // an attribute with a value
};

HtmlAttributes read_attributes(const HtmlNode* node);

}  // namespace headrace::normalize::internal
