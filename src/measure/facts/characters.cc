// SPDX-License-Identifier: Apache-2.0
// ASCII and the rest go different ways. ASCII is never looked at character by character: masks of
// 64 bytes each are counted (internal/ascii_scan.h), and only what may belong to a URL or to
// encoded data is looked at again. Every other code point is decoded and looks once into a table of
// a byte per code point, which holds what is to be counted of it and whether it has been seen. Rare
// things (emoji, mojibake) only leave a sign there and are looked at apart. Cost on a busy machine:
// 0.6 ns a byte of English, 1.4 of Chinese.
#include "measure/facts/characters.h"

#include <algorithm>
#include <bit>

#include "measure/facts/mojibake.h"
#include "measure/facts/urls.h"
#include "measure/internal/ascii_scan.h"
#include "measure/internal/character_flags.h"

namespace headrace::measure {
namespace {

constexpr std::uint8_t kSeen = 0x80;
constexpr std::uint8_t kCommon = kSeen | internal::kSpecialChar;
constexpr std::uint32_t kAllCodePoints = 0x200000;  // what any bytes decode to
constexpr std::size_t kKeepEntries = std::size_t{1} << 21;

internal::AsciiScan scan_for(SimdLevel level) {
#if defined(__x86_64__)
  if (level >= SimdLevel::kAvx2) return internal::kAvx2AsciiScan;
#endif
  static_cast<void>(level);
  return internal::kScalarAsciiScan;
}

// A run of base64 or hexadecimal characters, as encoded data is: text/encoded_data_share.cc.
bool is_encoded_data(std::string_view run) {
  bool digit = false, upper = false, lower = false, hex = true;
  for (const char c : run) {
    digit |= c >= '0' && c <= '9';
    upper |= c >= 'A' && c <= 'Z';
    lower |= c >= 'a' && c <= 'z';
    hex &= (c >= '0' && c <= '9') || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
  }
  return digit && ((upper && lower) || (hex && (upper || lower)));
}

// U+FE0F at `position` makes an emoji of a symbol that is none by itself.
bool makes_emoji(const TextView& view, std::uint32_t position) {
  const unsigned char* text = internal::bytes_of(view.text);
  if (position == 0) return false;
  std::uint32_t at = position - 1;
  while (at > 0 && (text[at] & 0xC0) == 0x80) --at;
  if ((view.blocks[at / 64].symbol >> at % 64 & 1) == 0) return false;
  if (text[at] < 0x80) return true;
  const std::uint32_t c = internal::code_point_at(text + at);
  return c >= internal::kFlaggedCodePoints ||
         (internal::character_flags()[c] & internal::kEmoji) == 0;
}

// What a code point with more flags than common ones is. `mojibake_end`: behind the last mojibake.
void count_rare(const TextView& view, std::uint8_t flags, std::uint32_t at,
                std::uint32_t* mojibake_end, CharacterFacts* facts) {
  facts->brackets += (flags & internal::kBracket) != 0;
  facts->control += (flags & internal::kC1Control) != 0;
  facts->replacement += (flags & internal::kReplacement) != 0;
  facts->emoji += (flags & internal::kEmoji) != 0 ||
                  ((flags & internal::kEmojiStyle) != 0 && makes_emoji(view, at));
  if ((flags & internal::kMojibakeSign) == 0 || at < *mojibake_end) return;
  const MojibakePlace place = mojibake_at(view.text, at);
  if (place.code_points == 0) return;
  facts->mojibake += place.code_points;
  *mojibake_end = place.end;
}

void count_lines(const TextView& view, CharacterFacts* facts) {
  for (const TextRange line : view.lines) {
    const char before = line.begin == 0 ? '\n' : view.text[line.begin - 1];
    const char last = view.text[line.end - 1];
    facts->indented_lines += before == ' ' || before == '\t';
    facts->code_lines += last == ';' || last == '{' || last == '}';
  }
}

}  // namespace

CharacterCounter::CharacterCounter() : state_(internal::character_flags()) {}

void CharacterCounter::count_ascii(const TextView& view, CharacterFacts* facts) {
  const auto size = static_cast<std::uint32_t>(view.text.size());
  const auto blocks = static_cast<std::uint32_t>(view.blocks.size());
  if (url_marks_.size() < view.text.size()) {
    url_marks_.resize(view.text.size());
    encoded_.resize(2 * view.blocks.size());
  }
  internal::AsciiCounts counts;
  internal::AsciiFinds finds{url_marks_.data(), encoded_.data(), encoded_.data() + blocks};
  scan_for(view.simd)(internal::bytes_of(view.text), size, view.blocks.data(), blocks, &counts,
                      &finds);
  UrlFinder urls(view);
  for (std::uint32_t i = 0; i < finds.url_mark_count; ++i) urls.mark_at(finds.url_marks[i]);
  for (std::uint32_t i = 0; i < finds.encoded_count; ++i) {
    const std::uint32_t end = finds.encoded_ends[i];
    const std::uint32_t length = finds.encoded_sizes[i];
    if (is_encoded_data(view.bytes({end - length, end}))) facts->encoded_data += length;
  }
  facts->ascii = static_cast<std::uint32_t>(counts.ascii);
  facts->brackets = static_cast<std::uint32_t>(counts.brackets);
  facts->curly_braces = static_cast<std::uint32_t>(counts.braces);
  facts->control = static_cast<std::uint32_t>(counts.control);
  facts->special_chars = static_cast<std::uint32_t>(counts.special);
  facts->longest_run = std::max(counts.longest_run, counts.ascii > 0 ? 1U : 0U);
  facts->urls = urls.urls();
  facts->url_code_points = urls.bytes();
  for (const std::uint8_t bits : counts.seen)
    facts->distinct += static_cast<std::uint32_t>(std::popcount(bits));
}

// Counts the code points that are not ASCII. Everything in the loop is local: stores into a table
// of bytes may change any member, as far as the compiler knows.
void CharacterCounter::count_others(const TextView& view, CharacterFacts* facts) {
  const unsigned char* text = internal::bytes_of(view.text);
  const std::size_t most =
      std::min<std::size_t>(view.counts.code_points - facts->ascii, kAllCodePoints) + 1;
  if (found_.size() < most) found_.resize(most);
  std::uint8_t* state = state_.data();
  std::uint32_t* found = found_.data();
  std::uint32_t limit = static_cast<std::uint32_t>(state_.size());
  std::uint32_t special = 0, last = ~0U, last_at = 0, longest = 1;
  std::uint32_t run = 1, run_at = 0;  // of the code point that was last equal to the one before
  std::uint32_t mojibake_end = 0;
  std::uint32_t begin = 0;
  for (const TextBlock& block : view.blocks) {
    for (std::uint64_t leads = block.lead & block.non_ascii; leads != 0; leads &= leads - 1) {
      const std::uint32_t at = begin + static_cast<std::uint32_t>(std::countr_zero(leads));
      const std::uint32_t c = internal::code_point_at(text + at);
      if (c >= limit) [[unlikely]] {
        state_.resize(kAllCodePoints);
        state = state_.data();
        limit = kAllCodePoints;
      }
      const std::uint8_t flags = state[c];
      state[c] = flags | kSeen;
      *found = c;
      found += 1 - (flags >> 7);
      special += flags & internal::kSpecialChar;
      if (c == last && at == last_at + (c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)) [[unlikely]] {
        run = run_at == last_at ? run + 1 : 2;
        run_at = at;
        longest = std::max(longest, run);
      }
      last = c;
      last_at = at;
      if ((flags & ~kCommon) != 0) [[unlikely]]
        count_rare(view, flags, at, &mojibake_end, facts);
    }
    begin += 64;
  }
  facts->special_chars += special;
  facts->longest_run = std::max(facts->longest_run, longest);
  facts->distinct += static_cast<std::uint32_t>(found - found_.data());
  for (const std::uint32_t* c = found_.data(); c != found; ++c)
    state[*c] &= static_cast<std::uint8_t>(~kSeen);
}

CharacterFacts CharacterCounter::count(const TextView& view) {
  CharacterFacts facts;
  count_ascii(view, &facts);
  if (facts.ascii < view.counts.code_points) count_others(view, &facts);
  count_lines(view, &facts);
  if (url_marks_.size() > kKeepEntries) {
    url_marks_ = {};
    encoded_ = {};
  }
  return facts;
}

}  // namespace headrace::measure
