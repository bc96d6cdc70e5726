// SPDX-License-Identifier: Apache-2.0
#include "tokenize/base64.h"

#include <cstdint>

namespace headrace::tokenize {

bool decode_base64(std::string_view text, std::string* bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return false;
  for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return false;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    *bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return true;
}

}  // namespace headrace::tokenize
