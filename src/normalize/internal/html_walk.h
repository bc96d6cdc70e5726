// SPDX-License-Identifier: Apache-2.0
// Pass 1: a page's tree → blocks and elements.
#pragma once

#include "normalize/internal/html_page.h"
#include "normalize/internal/html_parser.h"

namespace headrace::normalize::internal {

struct HtmlWalkOptions {
  bool keep_controls = false;  // texts of buttons, selections and dialogues
  bool keep_unshown = false;   // what stands in <template>, <svg> and <noscript>
  bool tex_scripts = false;    // the page holds formulas as scripts: their rendering goes
};

// Fills an empty page. Values of blocks are not set yet.
void walk_html(const HtmlParser& parser, const HtmlNode* document, const HtmlWalkOptions& options,
               HtmlPage* page);

}  // namespace headrace::normalize::internal
