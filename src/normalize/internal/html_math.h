// SPDX-License-Identifier: Apache-2.0
// Formulas of a page as one line of text.
#pragma once

#include <string>
#include <string_view>

#include "normalize/internal/html_parser.h"

namespace headrace::normalize::internal {

// Appends TeX as $...$ or, displayed, $$...$$; nothing for blank TeX.
void append_tex(std::string_view tex, bool display, std::string* out);

// Appends a <math> element: its TeX where it carries it, else its presentation as one line.
void append_math(const HtmlParser& parser, const HtmlNode* math, std::string* out);

}  // namespace headrace::normalize::internal
