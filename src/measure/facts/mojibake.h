// SPDX-License-Identifier: Apache-2.0
// Text that was decoded in the wrong encoding. The definition is in text/mojibake_share.cc.
#pragma once

#include <cstdint>
#include <string_view>

namespace headrace::measure {

struct MojibakePlace {
  std::uint32_t code_points = 0;  // 0: none begins here
  std::uint32_t end = 0;          // byte
};

// The longest mojibake that begins at `text[at]`, where a code point begins that has the flag
// kMojibakeSign. Four bytes behind the text must be readable.
MojibakePlace mojibake_at(std::string_view text, std::uint32_t at);

}  // namespace headrace::measure
