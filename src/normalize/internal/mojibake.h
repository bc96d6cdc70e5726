// SPDX-License-Identifier: Apache-2.0
// What the files of the step mojibake share.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headrace::normalize::internal {

// How odd code points between two others read, in points; 0 for text as people write it
// (mojibake_oddness.cc).
int oddness(char32_t before, std::u32string_view text, char32_t after);

bool is_common_han(char32_t c);

// Encodings that text is read in by mistake.
enum Carrier { kWindows1252, kWindows1250, kWindows1251, kMacintosh, kCodePage437, kCarriers };

// From characters back to the bytes that they were read from.
struct CarrierTables {
  // 0: not in the carrier. The bytes that windows-1252 leaves undefined, and those that Latin-1
  // reads as control characters, stand for themselves in all carriers.
  std::array<std::array<std::uint8_t, 0x10000>, kCarriers> byte;
  // Carriers in which the character is a first byte of UTF-8, or a later one; one bit each.
  std::array<std::uint8_t, 0x10000> leads;
  std::array<std::uint8_t, 0x10000> follows;
  std::array<std::uint16_t, 0x10000> gbk_bytes;  // of two bytes; 0: none
  std::array<char16_t, 0x10000> gbk_character;   // by its two bytes; 0: none
};
const CarrierTables& carrier_tables();

// A place in a text that can be repaired for certain.
struct Mojibake {
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  std::size_t points = 0;  // code points as they are
  std::string repaired;
};

// In the order of the text (mojibake_find.cc).
std::vector<Mojibake> find_mojibake(std::string_view text);

// Share of the code points of `text` that read as mojibake and can be repaired, 0 to 1.
double mojibake_share(std::string_view text);

}  // namespace headrace::normalize::internal
