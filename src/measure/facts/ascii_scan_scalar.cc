// SPDX-License-Identifier: Apache-2.0
// One look into a table per byte.
#include <array>

#include "measure/internal/ascii_scan.h"

namespace headrace::measure::internal {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

struct Masks {
  u64 same, bracket, url, control, encoded, unseen;
};

constexpr std::array<u8, 256> kBits = [] {
  std::array<u8, 256> bits{};
  for (unsigned c = 0; c < 128; ++c) {
    const bool bracket = c == '(' || c == ')' || c == '[' || c == ']' || c == '{' || c == '}';
    const bool control = c < 9 || (c > 13 && c < 32) || c == 127;
    const bool encoded = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                         (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '=';
    bits[c] = static_cast<u8>(bracket | (c == ':' || c == '.') << 1 | control << 2 | encoded << 3);
  }
  return bits;
}();

Masks masks_of(const u8* text, const AsciiCounts& counts) {
  Masks masks{};
  for (u32 i = 0; i < 64; ++i) {
    const u32 c = text[i];
    const u64 bits = kBits[c];
    masks.same |= u64{c == text[i + 1]} << i;
    masks.bracket |= (bits & 1) << i;
    masks.url |= (bits >> 1 & 1) << i;
    masks.control |= (bits >> 2 & 1) << i;
    masks.encoded |= (bits >> 3) << i;
    masks.unseen |= u64{c < 128 && (counts.seen[c % 16] >> (c / 16) & 1) == 0} << i;
  }
  return masks;
}

#include "measure/internal/ascii_scan.inl.h"

}  // namespace

const AsciiScan kScalarAsciiScan = scan;

}  // namespace headrace::measure::internal
