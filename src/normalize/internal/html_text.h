// SPDX-License-Identifier: Apache-2.0
// A page → its text: the passes in their order.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headrace::normalize::internal {

enum class HtmlMode : std::uint8_t { kMain, kPlain };

// Whether `text` begins as a page does: <!doctype html, <html, <head or <body, after blanks, a byte
// order mark, an XML declaration and comments.
bool begins_as_html(std::string_view text);

// Valid UTF-8 in, valid UTF-8 out. `*text` is replaced. What the parser can not take whole goes
// through it in pieces, as kPlain. False, with any text, only when memory runs out.
bool html_to_text(std::string_view html, HtmlMode mode, std::string* text);

// Whether there are more different names of tags than in any page; the parser's cost is the square
// of their number.
bool has_many_names(std::string_view html);

// Cuts a page before tags, never inside a comment, a script or a style sheet as far as that can be
// told, into pieces of at most `max_bytes` and `max_tags`.
std::vector<std::string_view> html_pieces(std::string_view html, std::size_t max_bytes,
                                          std::size_t max_tags);

}  // namespace headrace::normalize::internal
