// SPDX-License-Identifier: Apache-2.0
// The printable characters that stand for bytes in the vocabulary of a byte-level BPE.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headrace::tokenize {

// The character for a byte, in UTF-8.
std::string byte_char(unsigned char byte);

// The bytes that the characters of `text` stand for; none if one stands for no byte.
std::optional<std::string> bytes_of_chars(std::string_view text);

}  // namespace headrace::tokenize
