// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace headrace::tokenize {

// Appends the bytes. False: it is not base64 with its padding.
bool decode_base64(std::string_view text, std::string* bytes);

}  // namespace headrace::tokenize
