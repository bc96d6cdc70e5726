// SPDX-License-Identifier: Apache-2.0
// Programming languages by the names of files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headrace::read {

// "python" of "a/b.py", "make" of "Makefile"; "" if it is not known.
std::string_view language_of(std::string_view path);

// Extensions that only source code has, with their dots.
std::vector<std::string> code_extensions();

// Whether `bytes` are of a binary file: a zero byte, and no mark of UTF-16 or UTF-32.
bool is_binary(std::string_view bytes);

}  // namespace headrace::read
