// SPDX-License-Identifier: Apache-2.0
// Frequency classes instead of full frequencies: two bits per character and language give the same
// accuracy, and the table stays one that a person can read. Counted by
// tools/make_encoding_models.py over a dictionary with frequencies, manuals and stories.
#include "normalize/internal/character_cost.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

#include "normalize/character_frequency.inc"

constexpr int kLanguages = 4;
constexpr std::array<float, 3> kClassBits = {9, 12, 17};
constexpr float kUnseenHan = 24;

// Two bits per language: 0 unseen, 1 to 3 the classes.
using Classes = std::array<std::uint8_t, 0x10000>;

void mark(const std::string_view (&texts)[3], int language, Classes* classes) {
  for (unsigned k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < texts[k].size();) {
      const CodePoint c = code_point_at(texts[k], i);
      i += c.length;
      (*classes)[c.value] |= static_cast<std::uint8_t>((k + 1) << (2 * language));
    }
  }
}

const Classes& classes() {
  static const std::unique_ptr<const Classes> made = [] {
    auto table = std::make_unique<Classes>();
    mark(kSimplified, 0, table.get());
    mark(kTraditional, 1, table.get());
    mark(kJapanese, 2, table.get());
    mark(kKorean, 3, table.get());
    return table;
  }();
  return *made;
}
static_assert(kLanguages * 2 == 8);

constexpr bool between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

float ascii_bits(char32_t c) {
  if (c == ' ') return 2;
  if (between(c | 32, 'a', 'z')) return 6;
  if (between(c, '0', '9')) return 5;
  return c == '<' || c == '.' || c == ',' ? 3.5F : 6.5F;
}

// What a symbol or a letter of a foreign script costs at most: they are quoted in any text, and
// without the caps pages of several scripts look like none.
float most_bits(char32_t c) {
  if (between(c, 0x2010, 0x26FF) || between(c, 0x3000, 0x303F) || between(c, 0xFF00, 0xFFEF)) {
    return 14;
  }
  if (between(c, 0x370, 0x52F)) return 12;
  if (between(c, 0x3040, 0x312F)) return 13;
  if (c < 0x370) return between(c, 0x80, 0x9F) ? 24 : 14;
  return 31;
}

float unseen_bits(Language language, char32_t c) {
  if (between(c, 0xE000, 0xF8FF) || c >= 0xF0000) return kUnseenHan + 5;
  if (between(c, 0xAC00, 0xD7A3)) return language == Language::kKorean ? 20 : kUnseenHan;
  return is_han(c) ? kUnseenHan : kUnseenHan + 2;
}

// A block of letters that are written together, and what its letter costs.
struct Letter {
  int block = 0;  // 0: belongs to any text
  float bits = 13;
};

// Blocks: 0 of any text, 1 Latin, 2 Greek, 3 Cyrillic, 4 Hebrew, 5 Arabic, 6 other two-byte ones,
// 7 Han and kana, 8 Hangul, 9 the scripts of India and Thai, 10 other.
Letter two_byte_letter(char32_t c) {
  if (c < 0xA0) return {0, 14};
  if (c < 0xC0) return {0, 6};
  if (c < 0x100) return {1, 5};
  if (c < 0x180) return {1, 7};
  if (c < 0x240) return {1, between(c, 0x218, 0x21B) ? 8.F : 12.F};
  if (between(c, 0x380, 0x3FF)) return {2, c <= 0x3CE ? 6.F : 14.F};
  if (between(c, 0x400, 0x47F)) {
    const bool common = between(c, 0x410, 0x44F);
    const bool national = c == 0x401 || c == 0x404 || c == 0x406 || c == 0x407 || c == 0x451 ||
                          c == 0x454 || c == 0x456 || c == 0x457;
    return {3, common ? 6.F : national ? 9.F : 14.F};
  }
  if (between(c, 0x580, 0x5FF)) return {4, between(c, 0x5D0, 0x5EA) ? 6.F : 13.F};
  if (between(c, 0x600, 0x6FF)) return {5, c < 0x680 ? 6.F : 9.F};
  return {6, 13};
}

Letter letter_of(char32_t c) {
  if (c < 0x800) return two_byte_letter(c);
  if (c < 0x1000) return {9, 7};
  if (c < 0x2000) return {1, 9};
  if (c < 0x3000) return {0, c < 0x2040 ? 7.F : 11.F};
  if (c < 0x4000) return {7, 8};
  if (c < 0xA000) return {7, 11};
  if (c < 0xE000) return {8, 10};
  if (c < 0xF000) return {10, 18};
  if (c < 0x10000) return {0, c >= 0xFF00 ? 8.F : 16.F};
  return {0, c >= 0x1F000 && c < 0x20000 ? 12.F : 22.F};
}

}  // namespace

bool is_han(char32_t c) {
  return between(c, 0x4E00, 0x9FFF) || between(c, 0x3400, 0x4DBF) || between(c, 0x20000, 0x323AF) ||
         between(c, 0xF900, 0xFAFF);
}

float character_bits(Language language, char32_t c) {
  if (c < 0x80) return ascii_bits(c);
  float bits = unseen_bits(language, c);
  if (c < 0x10000) {
    const int shift = 2 * static_cast<int>(language);
    if (const int k = classes()[c] >> shift & 3; k > 0) bits = kClassBits[k - 1];
  }
  return std::min(bits, most_bits(c));
}

float alphabet_bits(int* block, char32_t c) {
  const Letter letter = letter_of(c);
  float bits = letter.bits;
  if (letter.block == 1 && *block == 1 && c < 0x240) bits += 3;
  if (letter.block > 1 && letter.block != *block) bits += *block > 0 ? 6 : 4;
  if (letter.block > 0) *block = letter.block;
  return bits;
}

}  // namespace headrace::normalize::internal
