// SPDX-License-Identifier: Apache-2.0
// The pattern of cl100k and of those that follow it. Llama-3:
//
//   (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}
//   | ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Qwen2 to Qwen3 have \p{N} in place of \p{N}{1,3}; Qwen3.5 counts marks as letters of words, but
// not in the class of the character that may stand before a word.
#include "tokenize/scan.h"

namespace headrace::tokenize {
namespace {

template <int kDigits, bool kMarksInWords>
struct Cl100kScanner {
  static constexpr ClassSet kWord = kMarksInWords ? kLetters | class_set(kMark) : kLetters;
  static constexpr ClassSet kRest = kNotSpaceLetterNumber & ~kWord;

  static MaskPattern mask_pattern() {
    return {.family = MaskFamily::kCl100k, .digits = kDigits, .marks_in_words = kMarksInWords};
  }

  const std::uint8_t* next(const std::uint8_t* p, const std::uint8_t* end) const {
    const ClassReader reader(end);
    if (const std::uint32_t n = contraction_length(p, end, true); n > 0) return p + n;
    std::uint32_t length = 0;
    const CharClass c = reader.at(p, &length);
    if (contains(kWord, c)) return skip(reader, p + length, kWord);
    if (c == kNumber) return skip_numbers(reader, p, kDigits);
    if (c != kNewline && contains(kWord, reader.at(p + length))) {
      return skip(reader, p + length, kWord);
    }
    const std::uint8_t* rest = *p == ' ' ? p + 1 : p;
    if (contains(kRest, reader.at(rest))) {
      return skip(reader, skip(reader, rest, kRest), class_set(kNewline));
    }
    return skip_spaces<true>(reader, p);
  }
};

template <int kDigits, bool kMarksInWords>
std::unique_ptr<Splitter> make() {
  using Scanner = Cl100kScanner<kDigits, kMarksInWords>;
  return std::make_unique<ScanSplitter<Scanner>>(Scanner{});
}

}  // namespace

std::unique_ptr<Splitter> make_cl100k_splitter(Cl100kOptions options) {
  if (options.digits == 1) return options.marks_in_words ? make<1, true>() : make<1, false>();
  return options.marks_in_words ? make<3, true>() : make<3, false>();
}

}  // namespace headrace::tokenize
