// SPDX-License-Identifier: Apache-2.0
// The pattern of o200k (GPT-4o, gpt-oss, Llama-4), with U = [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and
// L = [\p{Ll}\p{Lm}\p{Lo}\p{M}]:
//
//   [^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   |[^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//   |\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// Mistral's tekken has no contractions and single digits.
//
// A word changes from U to L once. Letters without case and marks are in both, so `U*L+` over a run
// that never leaves U must give characters back until its last one is in L. A mark may also be the
// character in front of the word, which is tried first.
#include "tokenize/scan.h"

namespace headrace::tokenize {
namespace {

constexpr ClassSet kCaseless = class_set(kModifier, kOtherLetter, kMark);
constexpr ClassSet kUpperRun = class_set(kUpper, kTitle) | kCaseless;
constexpr ClassSet kLowerRun = class_set(kLower) | kCaseless;
constexpr ClassSet kWord = kUpperRun | kLowerRun;

struct O200kScanner {
  O200kOptions options;

  MaskPattern mask_pattern() const {
    return {.family = MaskFamily::kO200k,
            .digits = options.digits,
            .contractions = options.contractions,
            .slash_tail = options.slash_tail};
  }

  const std::uint8_t* next(const std::uint8_t* p, const std::uint8_t* end) const {
    const ClassReader reader(end);
    std::uint32_t length = 0;
    const CharClass c = reader.at(p, &length);
    if (const std::uint8_t* word = word_end(reader, p, c, length); word != nullptr) {
      return options.contractions ? word + contraction_length(word, end, true) : word;
    }
    if (c == kNumber) return skip_numbers(reader, p, options.digits);
    const std::uint8_t* rest = *p == ' ' ? p + 1 : p;
    if (contains(kNotSpaceLetterNumber, reader.at(rest))) {
      rest = skip(reader, rest, kNotSpaceLetterNumber);
      while (rest < end && (*rest == '\r' || *rest == '\n' || (options.slash_tail && *rest == '/')))
        ++rest;
      return rest;
    }
    return skip_spaces<true>(reader, p);
  }

 private:
  // The first two alternatives, each with the character in front and without it; null: neither.
  static const std::uint8_t* word_end(const ClassReader& reader, const std::uint8_t* p, CharClass c,
                                      std::uint32_t length) {
    const bool front = c != kNewline && c != kNumber && !contains(kLetters, c);
    const bool here = contains(kWord, c);
    const bool behind = front && contains(kWord, reader.at(p + length));
    const std::uint8_t* word = nullptr;
    if (behind) word = upper_then_some_lower(reader, p + length);
    if (word == nullptr && here) word = upper_then_some_lower(reader, p);
    if (word == nullptr && behind) word = some_upper_then_lower(reader, p + length);
    if (word == nullptr && here) word = some_upper_then_lower(reader, p);
    return word;
  }

  // U*L+
  static const std::uint8_t* upper_then_some_lower(const ClassReader& reader,
                                                   const std::uint8_t* p) {
    std::uint32_t length = 0;
    const std::uint8_t* behind_caseless = nullptr;
    CharClass c = kEnd;
    while (contains(kUpperRun, c = reader.at(p, &length))) {
      p += length;
      if (contains(kCaseless, c)) behind_caseless = p;
    }
    return contains(kLowerRun, c) ? skip(reader, p, kLowerRun) : behind_caseless;
  }

  // U+L*
  static const std::uint8_t* some_upper_then_lower(const ClassReader& reader,
                                                   const std::uint8_t* p) {
    const std::uint8_t* lower = skip(reader, p, kUpperRun);
    return lower == p ? nullptr : skip(reader, lower, kLowerRun);
  }
};

}  // namespace

std::unique_ptr<Splitter> make_o200k_splitter(O200kOptions options) {
  return std::make_unique<ScanSplitter<O200kScanner>>(O200kScanner{options});
}

}  // namespace headrace::tokenize
