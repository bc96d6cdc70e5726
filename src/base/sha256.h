// SPDX-License-Identifier: Apache-2.0
// SHA-256, for identities that people compare with sha256sum. Everything else is XXH3
// (base/hash.h).
#pragma once

#include <string>
#include <string_view>

namespace headrace {

// 64 lowercase hex digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace headrace
