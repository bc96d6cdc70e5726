// SPDX-License-Identifier: Apache-2.0
// The three Split steps of DeepSeek-V3 and R1, as one scanner:
//
//   1. \p{N}{1,3}
//   2. [一-龥぀-ゟ゠-ヿ]+
//   3. [!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+
//      | ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Each step sees only a piece of the step before, so numbers and runs of Han and kana are walls:
// to step 3 they look like the end of the text, for `(?!\S)` too. Both are known by the character
// alone, so no region has to be measured first: the reader below reports kEnd at a wall. What no
// alternative matches (control, format and unassigned characters) stays as one piece up to the next
// match.
#include "tokenize/scan.h"

namespace headrace::tokenize {
namespace {

constexpr ClassSet kWord = kLetters | class_set(kMark);
constexpr ClassSet kSigns = class_set(kPunctuation, kSymbol);

bool is_han_or_kana(std::uint32_t c) {
  return (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3040 && c <= 0x30FF);
}

bool is_ascii_letter(std::uint8_t b) { return (b | 0x20) >= 'a' && (b | 0x20) <= 'z'; }

// Classes inside a run of Han and kana (kHan), or between walls.
template <bool kHan>
class WalledReader {
 public:
  explicit WalledReader(const std::uint8_t* end) : end_(end), classes_(char_classes()) {}

  const std::uint8_t* end() const { return end_; }

  CharClass at(const std::uint8_t* p, std::uint32_t* length) const {
    *length = 0;
    if (p >= end_) return kEnd;
    const std::uint32_t c = utf8_decode(p, length);
    const auto found = static_cast<CharClass>(classes_[c] & kClassMask);
    if (is_han_or_kana(c) != kHan || found == kNumber) return kEnd;
    return found;
  }
  CharClass at(const std::uint8_t* p) const {
    std::uint32_t length = 0;
    return at(p, &length);
  }

 private:
  const std::uint8_t* end_;
  const std::uint8_t* classes_;
};

struct DeepseekScanner {
  static MaskPattern mask_pattern() { return {.family = MaskFamily::kDeepseek}; }

  const std::uint8_t* next(const std::uint8_t* p, const std::uint8_t* end) const {
    const ClassReader reader(end);
    std::uint32_t length = 0;
    if (reader.at(p, &length) == kNumber) return skip_numbers(reader, p, 3);
    if (length == 3 && is_han_or_kana(utf8_decode(p, &length))) {
      return match_or_gap(WalledReader<true>(end), p);
    }
    return match_or_gap(WalledReader<false>(end), p);
  }

 private:
  template <class Reader>
  static const std::uint8_t* match_or_gap(const Reader& reader, const std::uint8_t* p) {
    if (const std::uint8_t* matched = match(reader, p); matched != nullptr) return matched;
    std::uint32_t length = 0;
    do {
      (void)reader.at(p, &length);
      p += length;
    } while (reader.at(p) != kEnd && match(reader, p) == nullptr);
    return p;
  }

  // The end of the match of step 3 at p, null if there is none.
  template <class Reader>
  static const std::uint8_t* match(const Reader& reader, const std::uint8_t* p) {
    std::uint32_t length = 0;
    const CharClass c = reader.at(p, &length);
    const std::uint8_t* const behind = p + length;
    if (*p < 0x80 && contains(kSigns, c) && behind < reader.end() && is_ascii_letter(*behind)) {
      const std::uint8_t* q = behind;
      while (q < reader.end() && is_ascii_letter(*q)) ++q;
      return q;
    }
    if (contains(kWord, c)) return skip(reader, behind, kWord);
    if (c != kNewline && !contains(kSigns, c) && contains(kWord, reader.at(behind))) {
      return skip(reader, behind, kWord);
    }
    const std::uint8_t* signs = *p == ' ' ? behind : p;
    if (contains(kSigns, reader.at(signs))) {
      return skip(reader, skip(reader, signs, kSigns), class_set(kNewline));
    }
    return contains(kSpaces, c) ? skip_spaces<true>(reader, p) : nullptr;
  }
};

}  // namespace

std::unique_ptr<Splitter> make_deepseek_splitter() {
  return std::make_unique<ScanSplitter<DeepseekScanner>>(DeepseekScanner{});
}

}  // namespace headrace::tokenize
