// SPDX-License-Identifier: Apache-2.0
// What a short line says about itself, and what a block is worth as content.
#pragma once

#include <string_view>

#include "normalize/internal/html_page.h"

namespace headrace::normalize::internal {

bool has_date(std::string_view text);
// Copyright, cookies, terms of use.
bool is_legal(std::string_view text);
// Begins as what stands around an article: author, source, time, caption.
bool begins_as_meta(std::string_view text);
// Begins as what stands after an article: related, more, share, comments.
bool begins_as_tail(std::string_view text);
// Ends in the credit of a picture.
bool ends_as_caption(std::string_view text);

// The value of a block whose text was dropped as legal.
constexpr double kLegalValue = -20;

void set_values(HtmlPage* page);

}  // namespace headrace::normalize::internal
