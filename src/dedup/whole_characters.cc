// SPDX-License-Identifier: Apache-2.0
// Borders between what people call characters, near enough for cuts: full segmentation (UAX #29)
// would also keep flags and Hangul syllables of parts together.
#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "dedup/anchors.h"

namespace headrace::dedup {
namespace {

constexpr UChar32 kZeroWidthJoiner = 0x200D;

bool extends(UChar32 c) {
  const std::int32_t kind = u_getIntPropertyValue(c, UCHAR_GRAPHEME_CLUSTER_BREAK);
  return kind == U_GCB_EXTEND || kind == U_GCB_SPACING_MARK;
}

bool joins(std::string_view text, std::uint32_t at) {
  if (at == 0 || at >= text.size()) return false;
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto size = static_cast<std::int32_t>(text.size());
  UChar32 here = 0;
  UChar32 before = 0;
  auto next = static_cast<std::int32_t>(at);
  auto previous = static_cast<std::int32_t>(at);
  U8_NEXT(bytes, next, size, here);
  U8_PREV(bytes, 0, previous, before);
  if (here < 0 || before < 0) return false;
  if (here == '\n') return before == '\r';
  return here == kZeroWidthJoiner || before == kZeroWidthJoiner ||
         (extends(here) && !u_iscntrl(before));
}

}  // namespace

std::uint32_t whole_character_behind(std::string_view text, std::uint32_t at) {
  while (joins(text, at)) {
    ++at;
    while (at < text.size() && static_cast<signed char>(text[at]) < -64) ++at;
  }
  return at;
}

std::uint32_t whole_character_before(std::string_view text, std::uint32_t at) {
  while (joins(text, at)) {
    --at;
    while (at > 0 && static_cast<signed char>(text[at]) < -64) --at;
  }
  return at;
}

}  // namespace headrace::dedup
