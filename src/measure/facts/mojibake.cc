// SPDX-License-Identifier: Apache-2.0
// UTF-8 read as Windows-1252 or Latin-1 turns each byte into a character of its own; so the
// characters are turned back into bytes, and what forms UTF-8 again is suspect. A lead alone proves
// little ("SPASS“", "CAFÉ»", "É…" are good German and French): the leads of everyday mojibake
// are believed at once, the others in pairs. UTF-8 and GBK taken for each other show by characters
// that no text has beside them.
#include "measure/facts/mojibake.h"

#include "measure/internal/character_flags.h"

namespace headrace::measure {
namespace {

struct Char {
  std::uint32_t code_point;
  std::uint32_t end;
};

// The code point at a byte; 0 for ASCII and behind the end of the text.
Char char_at(std::string_view text, std::uint32_t at) {
  if (at >= text.size()) return {0, at};
  const unsigned char* const bytes = internal::bytes_of(text) + at;
  const unsigned lead = bytes[0];
  if (lead < 0x80) return {0, at + 1};
  return {internal::code_point_at(bytes), at + (lead < 0xE0 ? 2U : lead < 0xF0 ? 3U : 4U)};
}

// The byte that Windows-1252 writes as this code point, C1 controls as themselves; 0 for none that
// is not ASCII.
unsigned byte_of(std::uint32_t code_point) {
  if (code_point < 0x80) return 0;
  if (code_point < 0x100) return code_point;
  static constexpr char16_t kUpper[] = u"€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8DŽ\x8F\x90‘’“”•–—˜™š›œ\x9DžŸ";
  for (unsigned i = 0; i < 32; ++i) {
    if (kUpper[i] == code_point) return 0x80 + i;
  }
  return 0;
}

// Code points of the sequence that byte `lead` begins; 0 where it begins none.
std::uint32_t length_of(unsigned lead) {
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

// Characters that stand for one sequence of UTF-8. `certain`: as no language writes them, â€™ Ã© Â°
// ï¼Œ ðŸ˜€.
MojibakePlace sequence_at(std::string_view text, std::uint32_t at, bool* certain) {
  Char next = char_at(text, at);
  const unsigned lead = byte_of(next.code_point);
  const std::uint32_t length = length_of(lead);
  unsigned second = 0;
  for (std::uint32_t k = 1; k < length; ++k) {
    next = char_at(text, next.end);
    const unsigned byte = byte_of(next.code_point);
    if (byte < 0x80 || byte >= 0xC0) return {};
    if (k == 1) second = byte;
  }
  *certain = lead == 0xC2 || lead == 0xC3 || lead == 0xE2 ||
             (lead == 0xEF && second >= 0xBB && second <= 0xBD) || (lead == 0xF0 && second == 0x9F);
  return {length, next.end};
}

MojibakePlace latin_at(std::string_view text, std::uint32_t at) {
  MojibakePlace all{0, at};
  std::uint32_t sequences = 0;
  bool sure = false;
  for (bool certain = false;; ++sequences, sure = sure || certain) {
    const MojibakePlace one = sequence_at(text, all.end, &certain);
    if (one.code_points == 0) break;
    all = {all.code_points + one.code_points, one.end};
  }
  return sure || sequences >= 2 ? all : MojibakePlace{};
}

MojibakePlace repeated_at(std::string_view text, std::uint32_t at, std::uint32_t least) {
  const std::uint32_t wanted = char_at(text, at).code_point;
  MojibakePlace all{0, at};
  for (Char next = char_at(text, at); next.code_point == wanted; next = char_at(text, next.end))
    all = {all.code_points + 1, next.end};
  return all.code_points >= least ? all : MojibakePlace{};
}

}  // namespace

MojibakePlace mojibake_at(std::string_view text, std::uint32_t at) {
  const Char first = char_at(text, at);
  const Char second = char_at(text, first.end);
  switch (first.code_point) {
    case 0xFFFD:
      return {1, first.end};
    case U'锟': {  // U+FFFD twice, written as UTF-8, read as GBK
      const Char third = char_at(text, second.end);
      const bool whole = second.code_point == U'斤' && third.code_point == U'拷';
      return whole ? MojibakePlace{3, third.end} : MojibakePlace{};
    }
    case U'烫':  // memory that was never written
    case U'屯':
      return repeated_at(text, at, 3);
    case U'锛':  // ，。“ and their neighbours as UTF-8, read as GBK
    case U'銆':
    case U'鈥': {
      const std::uint32_t c = second.code_point;
      const bool garbage = (c >= 0x4E00 && c < 0xA000) || c == U'€' || c == 0xFFFD;
      return garbage ? MojibakePlace{2, second.end} : MojibakePlace{};
    }
    default:
      return latin_at(text, at);
  }
}

}  // namespace headrace::measure
