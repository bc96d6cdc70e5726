// SPDX-License-Identifier: Apache-2.0
// Pass 4: blocks → text.
#pragma once

#include <string>

#include "normalize/internal/html_choice.h"
#include "normalize/internal/html_page.h"

namespace headrace::normalize::internal {

// The chosen content, pruned. Paragraphs are parted by a blank line, items of a list and rows of a
// table by a line end.
void render_content(const HtmlPage& page, const HtmlChoice& choice, std::string* out);

// Every block.
void render_all(const HtmlPage& page, std::string* out);

// What still reads like text where nothing was chosen.
void render_remains(const HtmlPage& page, std::string* out);

}  // namespace headrace::normalize::internal
