// SPDX-License-Identifier: Apache-2.0
// The version of the headers and, by a call, that of the library that was linked.
#pragma once

#include <string_view>

#define HEADRACE_VERSION_MAJOR 0
#define HEADRACE_VERSION_MINOR 1
#define HEADRACE_VERSION_PATCH 0

namespace headrace {

// "0.1.0": what these headers were released as. The same as version() unless headers and library
// come from different releases.
inline constexpr std::string_view kHeaderVersion = "0.1.0";

// The version of the linked library.
std::string_view version();

}  // namespace headrace
