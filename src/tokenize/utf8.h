// SPDX-License-Identifier: Apache-2.0
// Walking valid UTF-8.
#pragma once

#include <cstdint>

namespace headrace::tokenize {

// Bytes of the character that starts with `lead`.
inline std::uint32_t utf8_length(std::uint8_t lead) {
  return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

// The code point at p and its bytes. Only for valid UTF-8: nothing is checked.
inline std::uint32_t utf8_decode(const std::uint8_t* p, std::uint32_t* length) {
  const std::uint32_t lead = p[0];
  *length = utf8_length(p[0]);
  switch (*length) {
    case 1:
      return lead;
    case 2:
      return (lead & 0x1F) << 6 | (p[1] & 0x3FU);
    case 3:
      return (lead & 0x0F) << 12 | (p[1] & 0x3FU) << 6 | (p[2] & 0x3FU);
    default:
      return (lead & 0x07) << 18 | (p[1] & 0x3FU) << 12 | (p[2] & 0x3FU) << 6 | (p[3] & 0x3FU);
  }
}

}  // namespace headrace::tokenize
