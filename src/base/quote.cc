// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"

#include <algorithm>

#include <fmt/format.h>

namespace headrace {
namespace {

// The character at the start of `text` as it may be shown; takes it away.
std::string_view take_character(std::string_view* text, bool* safe) {
  const std::size_t length = std::max<std::size_t>(utf8_length(*text), 1);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>((*text)[i]); };
  const bool c0 = byte(0) < 0x20 || byte(0) == 0x7F;
  const bool c1 = length == 2 && byte(0) == 0xC2 && byte(1) < 0xA0;
  *safe = !c0 && !c1 && (length > 1 || byte(0) < 0x80);
  const std::string_view character = text->substr(0, length);
  text->remove_prefix(length);
  return character;
}

void append_escaped(std::string_view character, std::string* shown) {
  for (const char c : character) *shown += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
}

}  // namespace

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (text.empty()) return 0;
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : lead >= 0xE0 && lead < 0xF0 ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  const bool bad_second = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F) ||
                          (lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F);
  return bad_second ? 0 : length;
}

std::string escape_controls(std::string_view text, std::string_view keep) {
  std::string shown;
  while (!text.empty()) {
    bool safe = false;
    const std::string_view character = take_character(&text, &safe);
    if (safe || (character.size() == 1 && keep.find(character) != keep.npos)) {
      shown += character;
    } else {
      append_escaped(character, &shown);
    }
  }
  return shown;
}

std::string excerpt(std::string_view text, std::size_t most) {
  const std::size_t bytes = text.size();
  std::string shown;
  for (std::size_t count = 0; count < most && !text.empty(); ++count) {
    bool safe = false;
    const std::string_view character = take_character(&text, &safe);
    if (safe) {
      shown += character;
    } else {
      append_escaped(character, &shown);
    }
  }
  if (!text.empty()) shown += fmt::format("… ({} bytes)", bytes);
  return shown;
}

std::string excerpts(std::span<const std::string> texts, std::size_t most) {
  std::string shown;
  for (const std::string& text : texts.first(std::min(most, texts.size()))) {
    if (!shown.empty()) shown += ", ";
    shown += excerpt(text);
  }
  if (texts.size() > most) shown += fmt::format(" and {} more", texts.size() - most);
  return shown;
}

}  // namespace headrace
