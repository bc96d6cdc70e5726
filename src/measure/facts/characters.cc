// SPDX-License-Identifier: Apache-2.0
// ASCII and the rest go different ways. ASCII is never looked at character by character: masks of
// 64 bytes each (internal/byte_masks.h) are counted, and only the few set bits that may belong to a
// URL are walked. Every other code point is decoded and looks once into a table of a byte per code
// point, which holds what is to be counted of it and whether it has been seen: 3 ns each in mixed
// text, 1.5 ns in Han text. Rare things (emoji, mojibake) only leave a sign there and are looked at
// apart.
#include "measure/facts/characters.h"

#include <algorithm>
#include <bit>

#include "measure/facts/mojibake.h"
#include "measure/facts/urls.h"
#include "measure/internal/byte_masks.h"
#include "measure/internal/character_flags.h"

namespace headrace::measure {
namespace {

using internal::ByteMasks;
using internal::SeenAscii;

constexpr std::uint8_t kSeen = 0x80;
constexpr std::uint32_t kAllCodePoints = 0x200000;  // what any bytes decode to
constexpr std::uint32_t kEncodedRun = 64;

internal::ByteMasksOf kernel_for(SimdLevel level) {
#if defined(__x86_64__)
  if (level >= SimdLevel::kAvx2) return internal::kAvx2ByteMasks;
#endif
  static_cast<void>(level);
  return internal::kScalarByteMasks;
}

// Runs of set bits across the masks of one block after another. The last block has a bit behind the
// text, which is never set, so every run ends.
class BitRuns {
 public:
  // Call for each block. Returns the length of the run that ended in the first bits of this mask,
  // with what it had before; whole masks only carry it on.
  std::uint32_t add(std::uint64_t mask) {
    if (mask == ~std::uint64_t{0}) {
      carry_ += 64;
      return 0;
    }
    const std::uint32_t length = carry_ + static_cast<std::uint32_t>(std::countr_one(mask));
    carry_ = static_cast<std::uint32_t>(std::countl_one(mask));
    return length;
  }

 private:
  std::uint32_t carry_ = 0;
};

std::uint32_t longest_run_of_bits(std::uint64_t mask) {
  std::uint32_t length = 0;
  for (; mask != 0; mask &= mask >> 1) ++length;
  return length;
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

void note_seen(const unsigned char* text, std::uint64_t bits, SeenAscii* seen) {
  for (; bits != 0; bits &= bits - 1) {
    const unsigned c = text[std::countr_zero(bits)];
    seen->bits[c % 16] = static_cast<std::uint8_t>(seen->bits[c % 16] | 1U << c / 16);
  }
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

class Walk {
 public:
  Walk(const TextView& view, std::vector<std::uint8_t>* state, std::vector<std::uint32_t>* found)
      : view_(view),
        text_(internal::bytes_of(view.text)),
        masks_of_(kernel_for(view.simd)),
        state_(*state),
        found_(*found),
        urls_(view) {}

  CharacterFacts run() {
    for (std::size_t b = 0; b < view_.blocks.size(); ++b) {
      const TextBlock& block = view_.blocks[b];
      const auto begin = static_cast<std::uint32_t>(64 * b);
      ascii_block(block, begin);
      if (const std::uint64_t other = block.lead & block.non_ascii; other != 0)
        other_block(other, begin);
    }
    lines();
    finish();
    return facts_;
  }

 private:
  void ascii_block(const TextBlock& block, std::uint32_t begin) {
    const ByteMasks masks = masks_of_(text_ + begin, seen_);
    const std::uint64_t ascii = block.lead & ~block.non_ascii;
    const std::uint64_t control = masks.control & ascii;
    const int all = std::popcount(ascii);
    facts_.ascii += count(all);
    facts_.brackets += count(std::popcount(masks.bracket));
    facts_.curly_braces += count(std::popcount(masks.brace));
    facts_.control += count(std::popcount(control));
    facts_.special_chars +=
        count(all - std::popcount(ascii & block.letter) - std::popcount(control));
    std::uint64_t same = masks.same & ascii;
    // The zero byte behind the text is no character.
    if (view_.text.size() - begin <= 64 && view_.text.size() > begin)
      same &= ~(std::uint64_t{1} << (view_.text.size() - 1 - begin));
    ascii_runs(same);
    if (const std::uint64_t unseen = masks.unseen & ascii; unseen != 0)
      note_seen(text_ + begin, unseen, &seen_);
    encoded_run(masks.encoded, begin);
    for (std::uint64_t bits = masks.url; bits != 0; bits &= bits - 1)
      urls_.mark_at(begin + count(std::countr_zero(bits)));
  }

  void ascii_runs(std::uint64_t same) {
    const std::uint32_t across = same_.add(same);
    if (across + 1 > facts_.longest_run && across > 0) facts_.longest_run = across + 1;
    if (const std::uint32_t inside = longest_run_of_bits(same);
        inside > 0 && inside + 1 > facts_.longest_run) {
      facts_.longest_run = inside + 1;
    }
  }

  void encoded_run(std::uint64_t mask, std::uint32_t begin) {
    const std::uint32_t length = encoded_.add(mask);
    if (length < kEncodedRun) return;
    const std::uint32_t end = begin + count(std::countr_one(mask));
    if (is_encoded_data(view_.bytes({end - length, end}))) facts_.encoded_data += length;
  }

  void other_block(std::uint64_t leads, std::uint32_t begin) {
    std::uint8_t* state = state_.data();
    std::uint32_t* found = found_.data() + found_count_;
    for (; leads != 0; leads &= leads - 1) {
      const std::uint32_t at = begin + count(std::countr_zero(leads));
      const std::uint32_t c = internal::code_point_at(text_ + at);
      if (c >= state_.size()) [[unlikely]] {
        state_.resize(kAllCodePoints);
        state = state_.data();
      }
      const std::uint8_t flags = state[c];
      state[c] = flags | kSeen;
      *found = c;
      found += 1 - (flags >> 7);
      facts_.special_chars += flags & internal::kSpecialChar;
      run_length_ = c == last_ && at == last_end_ ? run_length_ + 1 : 1;
      longest_ = std::max(longest_, run_length_);
      last_ = c;
      last_end_ = at + (c < 0x800 ? 2 : c < 0x10000 ? 3 : 4);
      if ((flags & ~(kSeen | internal::kSpecialChar | internal::kMojibakeSign)) != 0) [[unlikely]]
        rare(flags, at);
    }
    found_count_ = static_cast<std::size_t>(found - found_.data());
  }

  void rare(std::uint8_t flags, std::uint32_t at) {
    facts_.brackets += (flags & internal::kBracket) != 0;
    facts_.control += (flags & internal::kC1Control) != 0;
    facts_.replacement += (flags & internal::kReplacement) != 0;
    facts_.emoji += (flags & internal::kEmoji) != 0 ||
                    ((flags & internal::kEmojiStyle) != 0 && makes_emoji(view_, at));
  }

  void lines() {
    for (const TextRange line : view_.lines) {
      const char before = line.begin == 0 ? '\n' : view_.text[line.begin - 1];
      const char last = view_.text[line.end - 1];
      facts_.indented_lines += before == ' ' || before == '\t';
      facts_.code_lines += last == ';' || last == '{' || last == '}';
    }
  }

  // The table as it was, and what only the different code points tell.
  void finish() {
    std::uint8_t flags = 0;
    for (std::size_t i = 0; i < found_count_; ++i) {
      std::uint8_t& state = state_[found_[i]];
      state &= static_cast<std::uint8_t>(~kSeen);
      flags |= state;
    }
    int distinct = static_cast<int>(found_count_);
    for (const std::uint8_t bits : seen_.bits) distinct += std::popcount(bits);
    facts_.distinct = count(distinct);
    facts_.longest_run = std::max(facts_.longest_run, longest_);
    if (facts_.longest_run == 0 && facts_.ascii > 0) facts_.longest_run = 1;
    if ((flags & internal::kMojibakeSign) != 0) facts_.mojibake = mojibake_code_points(view_);
    facts_.urls = urls_.urls();
    facts_.url_code_points = urls_.bytes();
  }

  static std::uint32_t count(int n) { return static_cast<std::uint32_t>(n); }

  const TextView& view_;
  const unsigned char* const text_;
  const internal::ByteMasksOf masks_of_;
  std::vector<std::uint8_t>& state_;
  std::vector<std::uint32_t>& found_;
  std::size_t found_count_ = 0;
  CharacterFacts facts_;
  SeenAscii seen_;
  BitRuns same_;
  BitRuns encoded_;
  UrlFinder urls_;
  std::uint32_t last_ = 0;  // code point that is not ASCII, and its end
  std::uint32_t last_end_ = 0;
  std::uint32_t run_length_ = 0;
  std::uint32_t longest_ = 0;
};

}  // namespace

CharacterCounter::CharacterCounter() : state_(internal::character_flags()) {}

CharacterFacts CharacterCounter::count(const TextView& view) {
  const std::size_t most = std::min<std::size_t>(view.counts.code_points, kAllCodePoints) + 1;
  if (found_.size() < most) found_.resize(most);
  return Walk(view, &state_, &found_).run();
}

}  // namespace headrace::measure
