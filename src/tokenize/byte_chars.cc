// SPDX-License-Identifier: Apache-2.0
// GPT-2's byte alphabet: the bytes 21-7E, A1-AC and AE-FF are written as the character of that
// number, the other 68 in increasing order as U+0100 and on (space is U+0120, newline U+010A).
#include "tokenize/byte_chars.h"

#include <array>
#include <cstdint>

#include "tokenize/utf8.h"

namespace headrace::tokenize {
namespace {

constexpr std::uint32_t kFirstOther = 0x100;
constexpr std::uint32_t kOthers = 68;

constexpr bool stands_for_itself(std::uint32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) ||
         (byte >= 0xAE && byte <= 0xFF);
}

constexpr std::array<std::uint8_t, kOthers> other_bytes() {
  std::array<std::uint8_t, kOthers> bytes{};
  std::size_t count = 0;
  for (std::uint32_t b = 0; b < 256; ++b) {
    if (!stands_for_itself(b)) bytes[count++] = static_cast<std::uint8_t>(b);
  }
  return bytes;
}
constexpr std::array<std::uint8_t, kOthers> kOtherBytes = other_bytes();

}  // namespace

std::string byte_char(unsigned char byte) {
  std::uint32_t c = byte;
  if (!stands_for_itself(byte)) {
    c = kFirstOther;
    while (kOtherBytes[c - kFirstOther] != byte) ++c;
  }
  if (c < 0x80) return std::string(1, static_cast<char>(c));
  return {static_cast<char>(0xC0 | c >> 6), static_cast<char>(0x80 | (c & 0x3F))};
}

std::optional<std::string> bytes_of_chars(std::string_view text) {
  std::string bytes;
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto* const end = p + text.size();
  std::uint32_t length = 0;
  for (; p < end; p += length) {
    const std::uint32_t c = utf8_decode(p, &length);
    if (stands_for_itself(c)) {
      bytes += static_cast<char>(c);
    } else if (c >= kFirstOther && c < kFirstOther + kOthers) {
      bytes += static_cast<char>(kOtherBytes[c - kFirstOther]);
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

}  // namespace headrace::tokenize
