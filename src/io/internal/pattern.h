// SPDX-License-Identifier: Apache-2.0
// Patterns of file names: * ? [..] inside a name. A `?` is one code point, ranges go by code point.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headrace::io {

// Names with a dot in front match only a pattern with one.
bool match_name(std::string_view pattern, std::string_view name);
bool has_wildcard(std::string_view part);
// The parts between the '/' of a pattern; empty ones are left out.
std::vector<std::string> cut_pattern(std::string_view pattern);

}  // namespace headrace::io
