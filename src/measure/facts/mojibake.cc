// SPDX-License-Identifier: Apache-2.0
// UTF-8 read as Windows-1252 or Latin-1 turns each byte into a character of its own; so the
// characters are turned back into bytes, and what forms UTF-8 again is suspect. A lead alone proves
// little ("SPASS“", "CAFÉ»", "É…" are good German and French): the leads of everyday mojibake
// are believed at once, the others in pairs. One look at each code point that is not ASCII.
#include "measure/facts/mojibake.h"

#include <bit>
#include <vector>

#include "measure/internal/character_flags.h"

namespace headrace::measure {
namespace {

struct Char {
  std::uint32_t code_point;
  std::uint32_t begin;
  std::uint32_t end;
};

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

bool continues(unsigned byte) { return byte >= 0x80 && byte < 0xC0; }

// Code points of the sequence that byte `lead` begins; 0 where it begins none.
std::size_t length_of(unsigned lead) {
  if (lead >= 0xC2 && lead < 0xE0) return 2;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

bool is_han(std::uint32_t c) { return c >= 0x4E00 && c < 0xA000; }

// All code points that are not ASCII, one by one.
class Finder {
 public:
  explicit Finder(const TextView& view) {
    const unsigned char* text = internal::bytes_of(view.text);
    for (std::size_t b = 0; b < view.blocks.size(); ++b) {
      const TextBlock& block = view.blocks[b];
      for (std::uint64_t bits = block.lead & block.non_ascii; bits != 0; bits &= bits - 1) {
        const auto at =
            static_cast<std::uint32_t>(64 * b) + static_cast<std::uint32_t>(std::countr_zero(bits));
        const unsigned lead = text[at];
        chars_.push_back({internal::code_point_at(text + at), at,
                          at + (lead < 0xE0   ? 2U
                                : lead < 0xF0 ? 3U
                                              : 4U)});
      }
    }
  }

  std::uint32_t count() {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < chars_.size();) {
      std::size_t length = chars_[i].code_point == 0xFFFD ? 1 : gbk_length(i);
      if (length == 0) length = latin_length(i);
      found += static_cast<std::uint32_t>(length);
      i += length == 0 ? 1 : length;
    }
    return found;
  }

 private:
  std::uint32_t at(std::size_t i) const { return i < chars_.size() ? chars_[i].code_point : 0; }
  // Characters i and i + 1 stand side by side.
  bool joined(std::size_t i) const {
    return i + 1 < chars_.size() && chars_[i].end == chars_[i + 1].begin;
  }

  // Signs of GBK and UTF-8 taken for each other that begin at i.
  std::size_t gbk_length(std::size_t i) const {
    switch (at(i)) {
      case U'锟':  // U+FFFD twice, written as UTF-8, read as GBK
        return joined(i) && joined(i + 1) && at(i + 1) == U'斤' && at(i + 2) == U'拷' ? 3 : 0;
      case U'烫':  // memory that was never written
      case U'屯': {
        std::size_t length = 1;
        while (joined(i + length - 1) && at(i + length) == at(i)) ++length;
        return length >= 3 ? length : 0;
      }
      case U'锛':  // ，。“ and their neighbours as UTF-8, read as GBK
      case U'銆':
      case U'鈥':
        return joined(i) && (is_han(at(i + 1)) || at(i + 1) == U'€' || at(i + 1) == 0xFFFD) ? 2 : 0;
      default:
        return 0;
    }
  }

  // The code points that come from one sequence of UTF-8; 0 for none.
  std::size_t sequence(std::size_t i) const {
    const std::size_t length = length_of(byte_of(at(i)));
    for (std::size_t k = 1; k < length; ++k) {
      if (!joined(i + k - 1) || !continues(byte_of(at(i + k)))) return 0;
    }
    return length;
  }

  // â€™ Ã© Â° ï¼Œ ðŸ˜€: what no language writes.
  bool certain(std::size_t i) const {
    switch (at(i)) {
      case 0xC2:
      case 0xC3:
      case 0xE2:
        return true;
      case 0xEF:
        return at(i + 1) >= 0xBB && at(i + 1) <= 0xBD;
      case 0xF0:
        return byte_of(at(i + 1)) == 0x9F;
      default:
        return false;
    }
  }

  std::size_t latin_length(std::size_t i) const {
    std::size_t length = 0;
    std::size_t sequences = 0;
    bool sure = false;
    while (const std::size_t one = i + length < chars_.size() ? sequence(i + length) : 0) {
      if (length > 0 && !joined(i + length - 1)) break;
      sure = sure || certain(i + length);
      length += one;
      ++sequences;
    }
    return sure || sequences >= 2 ? length : 0;
  }

  std::vector<Char> chars_;
};

}  // namespace

std::uint32_t mojibake_code_points(const TextView& view) { return Finder(view).count(); }

}  // namespace headrace::measure
