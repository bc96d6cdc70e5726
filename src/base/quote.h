// SPDX-License-Identifier: Apache-2.0
// Data in messages. A name or a value that comes from a file may be 50 MB long or hold bytes that a
// terminal obeys; whoever puts one into a message puts an excerpt of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace headrace {

// Length of the valid UTF-8 character at the start of `text`; 0 if there is none.
std::size_t utf8_length(std::string_view text);

// `text` with control characters (C0, DEL, C1) and bytes that are no UTF-8 as \xNN. Those in `keep`
// stay.
std::string escape_controls(std::string_view text, std::string_view keep = "");

// The start of escape_controls(text), for a message: "abc… (50000000 bytes)" where more than `most`
// code points are there.
std::string excerpt(std::string_view text, std::size_t most = 80);

// "a, b, c and 37 more": the first `most` of them, each an excerpt.
std::string excerpts(std::span<const std::string> texts, std::size_t most = 20);

}  // namespace headrace
