// SPDX-License-Identifier: Apache-2.0
// URLs looked for the plain way, for tests: character by character, nothing shared with
// facts/phrases.cc.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace headrace::measure {

// How many URLs, and characters in them.
std::pair<std::size_t, std::size_t> slow_urls(const std::string& text);

// What texts of URLs, and of what is nearly one, are drawn from.
extern const std::vector<std::string> kUrlPieces;

}  // namespace headrace::measure
