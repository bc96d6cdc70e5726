// SPDX-License-Identifier: Apache-2.0
// What CharacterCounter wants to know about a code point that is not ASCII.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace headrace::measure::internal {

enum CharacterFlag : std::uint8_t {
  kSpecialChar = 1,  // of special_char_share
  kEmoji = 2,        // property Emoji_Presentation
  kEmojiStyle = 4,   // U+FE0F
  kBracket = 8,      // the full-width forms of ( ) [ ] { }
  kC1Control = 16,   // U+0080 to U+009F without U+0085
  kReplacement = 32,
  kMojibakeSign = 64,  // may begin mojibake (facts/mojibake.h)
};

inline constexpr std::uint32_t kFlaggedCodePoints = 0x20000;  // none above has a flag

// Flags of the code points below kFlaggedCodePoints. Made at the first call; thread-safe.
const std::vector<std::uint8_t>& character_flags();

// The code point whose first byte is text[0], not ASCII, by that byte alone: any bytes give a value
// below 0x200000. Three more bytes must be readable.
inline std::uint32_t code_point_at(const unsigned char* text) {
  const std::uint32_t lead = text[0];
  if (lead < 0xE0) return (lead & 31) << 6 | (text[1] & 63U);
  if (lead < 0xF0) return (lead & 15) << 12 | (text[1] & 63U) << 6 | (text[2] & 63U);
  return (lead & 7) << 18 | (text[1] & 63U) << 12 | (text[2] & 63U) << 6 | (text[3] & 63U);
}

inline const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

}  // namespace headrace::measure::internal
