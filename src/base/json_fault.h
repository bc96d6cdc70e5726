// SPDX-License-Identifier: Apache-2.0
// What is wrong with a JSON text, in words for people: the parser's own speak of its grammar.
// Header only, for rooms that have the library.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/quote.h"

namespace headrace {

// "line 3, at 'NaN'"; of a text that parsed, what the library says of the value that was asked for.
inline std::string json_fault(const nlohmann::json::exception& error, std::string_view text) {
  constexpr std::string_view kBetween = " \t\r\n,:[]{}";
  const auto* parse_error = dynamic_cast<const nlohmann::json::parse_error*>(&error);
  if (parse_error == nullptr) {
    const std::string_view all =
        error.what();  // "[json.exception.type_error.302] type must be ..."
    return excerpt(all.substr(all.find("] ") == all.npos ? 0 : all.find("] ") + 2), 200);
  }
  const std::size_t at = std::max<std::size_t>(parse_error->byte, 1) - 1;
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  if (at >= text.size()) return fmt::format("line {}, where the text ends", line);
  const bool single = kBetween.find(text[at]) != kBetween.npos;
  const std::size_t begin = single ? at : before.find_last_of(kBetween) + 1;
  const std::size_t end = single ? at + 1 : std::min(text.find_first_of(kBetween, at), text.size());
  return fmt::format("line {}, at '{}'", line, excerpt(text.substr(begin, end - begin), 20));
}

}  // namespace headrace
