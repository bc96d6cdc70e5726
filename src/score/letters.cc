// SPDX-License-Identifier: Apache-2.0
#include "score/letters.h"

#include <cstdint>

#include "record/char_class.h"

namespace headrace::score {
namespace {

struct Character {
  std::uint8_t classes = 0;
  std::size_t bytes = 1;
};

bool is_continuation(char c) { return (c & 0xC0) == 0x80; }

// The character at `at`; bytes that begin none have no class.
Character character_at(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return {char_class(first), 1};
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || bytes > text.size() - at) return {};
  std::uint32_t code = first & (0x7Fu >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!is_continuation(text[at + i])) return {};
    code = code << 6 | (static_cast<unsigned char>(text[at + i]) & 63u);
  }
  return {char_class(code), bytes};
}

}  // namespace

std::size_t count_letters(std::string_view text, std::size_t enough) {
  std::size_t letters = 0;
  for (std::size_t at = 0; at < text.size() && letters < enough;) {
    const Character c = character_at(text, at);
    letters += (c.classes & (kLetter | kHan)) != 0;
    at += c.bytes;
  }
  return letters;
}

void split_han(std::string_view text, std::string* out) {
  out->clear();
  for (std::size_t at = 0; at < text.size();) {
    const Character c = character_at(text, at);
    const bool han = (c.classes & kHan) != 0;
    if (han && !out->empty() && out->back() != ' ') out->push_back(' ');
    out->append(text, at, c.bytes);
    if (han) out->push_back(' ');
    at += c.bytes;
  }
}

}  // namespace headrace::score
