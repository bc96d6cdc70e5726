// SPDX-License-Identifier: Apache-2.0
// The pattern of GPT-2, also of ByteLevel with use_regex:
//
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
//
// Newlines are ordinary white space here, and only lower-case contractions count.
#include "tokenize/scan.h"

namespace headrace::tokenize {
namespace {

struct Gpt2Scanner {
  static MaskPattern mask_pattern() { return {.family = MaskFamily::kGpt2}; }

  const std::uint8_t* next(const std::uint8_t* p, const std::uint8_t* end) const {
    const ClassReader reader(end);
    if (const std::uint32_t n = contraction_length(p, end, false); n > 0) return p + n;
    const std::uint8_t* word = *p == ' ' ? p + 1 : p;
    const CharClass c = reader.at(word);
    if (contains(kLetters, c)) return skip(reader, word, kLetters);
    if (c == kNumber) return skip(reader, word, class_set(kNumber));
    if (contains(kNotSpaceLetterNumber, c)) return skip(reader, word, kNotSpaceLetterNumber);
    return skip_spaces<false>(reader, p);
  }
};

}  // namespace

std::unique_ptr<Splitter> make_gpt2_splitter() {
  return std::make_unique<ScanSplitter<Gpt2Scanner>>(Gpt2Scanner{});
}

}  // namespace headrace::tokenize
