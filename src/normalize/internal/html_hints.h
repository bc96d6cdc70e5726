// SPDX-License-Identifier: Apache-2.0
// What an author's names for an element say about it.
#pragma once

#include <string_view>

#include "normalize/internal/html_page.h"

namespace headrace::normalize::internal {

struct HtmlNames {
  std::string_view classes;
  std::string_view id;
  std::string_view role;
  std::string_view itemprop;
};

// Sets hints, positive and article_body from the element's tag (already set) and names.
void set_hints(const HtmlNames& names, HtmlElement* element);

// Line numbers of a code listing.
bool is_gutter(std::string_view classes);

}  // namespace headrace::normalize::internal
