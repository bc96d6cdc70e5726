// SPDX-License-Identifier: Apache-2.0
// Layout: u32 bytes of the array, the array (u32 units, little-endian), the replacements.
//
// A unit of the array: bit 8, a value hangs below; bits 0-7 and 31, its label; bits 10-30, the
// offset to its children, shifted by 8 if bit 9 is set. A value is the low 31 bits of its unit.
#include "tokenize/charsmap.h"

#include <cstring>

#include "base/error.h"

namespace headrace::tokenize {
namespace {

std::uint32_t label(std::uint32_t unit) { return unit & 0x800000FFU; }
bool has_value(std::uint32_t unit) { return (unit >> 8 & 1) != 0; }
std::uint32_t offset(std::uint32_t unit) { return unit >> 10 << ((unit & 0x200U) >> 6); }

}  // namespace

Result<CharsMap> CharsMap::parse(std::string_view bytes) {
  CharsMap map;
  if (bytes.empty()) return map;
  std::uint32_t size = 0;
  if (bytes.size() > sizeof(size)) std::memcpy(&size, bytes.data(), sizeof(size));
  if (size == 0 || size % sizeof(std::uint32_t) != 0 || size >= bytes.size() - sizeof(size)) {
    return corrupt("precompiled_charsmap: {} bytes that say {} for the array", bytes.size(), size);
  }
  bytes.remove_prefix(sizeof(size));
  map.units_.resize(size / sizeof(std::uint32_t));
  std::memcpy(map.units_.data(), bytes.data(), size);
  map.replacements_ = bytes.substr(size);
  if (map.replacements_.back() != '\0') return corrupt("precompiled_charsmap: no zero at the end");
  return map;
}

CharsMap::Rule CharsMap::find(std::string_view text, bool first) const {
  Rule rule;
  if (units_.empty()) return rule;
  std::size_t node = offset(units_[0]);
  for (std::size_t i = 0; i < text.size() && text[i] != '\0'; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    node ^= byte;
    if (node >= units_.size() || label(units_[node]) != byte) break;
    const std::uint32_t unit = units_[node];
    node ^= offset(unit);
    if (!has_value(unit) || node >= units_.size()) continue;
    const std::size_t begin = units_[node] & 0x7FFFFFFFU;
    if (begin >= replacements_.size()) continue;
    rule = {i + 1, replacements_.data() + begin};
    if (first) break;
  }
  return rule;
}

}  // namespace headrace::tokenize
