// SPDX-License-Identifier: Apache-2.0
// One look into a table per byte.
#include <array>

#include "measure/internal/byte_masks.h"

namespace headrace::measure::internal {
namespace {

enum Bit : std::uint8_t { kBracket = 1, kBrace = 2, kUrl = 4, kControl = 8, kEncoded = 16 };

constexpr std::array<std::uint8_t, 256> kBits = [] {
  std::array<std::uint8_t, 256> bits{};
  for (const char c : {'(', ')', '[', ']', '{', '}'})
    bits[static_cast<unsigned char>(c)] |= kBracket;
  for (const char c : {'{', '}'}) bits[static_cast<unsigned char>(c)] |= kBrace;
  for (const char c : {':', '.'}) bits[static_cast<unsigned char>(c)] |= kUrl;
  for (unsigned c = 0; c < 32; ++c) {
    if (c < 9 || c > 13) bits[c] |= kControl;
  }
  bits[127] |= kControl;
  for (const char c : {'+', '/', '='}) bits[static_cast<unsigned char>(c)] |= kEncoded;
  for (unsigned c = '0'; c <= '9'; ++c) bits[c] |= kEncoded;
  for (unsigned c = 'A'; c <= 'Z'; ++c) {
    bits[c] |= kEncoded;
    bits[c + 32] |= kEncoded;
  }
  return bits;
}();

ByteMasks masks_of(const unsigned char* text, const SeenAscii& seen) {
  ByteMasks masks{};
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned c = text[i];
    const std::uint64_t bits = kBits[c];
    masks.same |= std::uint64_t{c == text[i + 1]} << i;
    masks.bracket |= (bits & 1) << i;
    masks.brace |= (bits >> 1 & 1) << i;
    masks.url |= (bits >> 2 & 1) << i;
    masks.control |= (bits >> 3 & 1) << i;
    masks.encoded |= (bits >> 4) << i;
    masks.unseen |= (~(std::uint64_t{seen.bits[c % 16]} >> (c / 16)) & (c < 128 ? 1 : 0)) << i;
  }
  return masks;
}

}  // namespace

const ByteMasksOf kScalarByteMasks = masks_of;

}  // namespace headrace::measure::internal
