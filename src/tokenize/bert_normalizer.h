// SPDX-License-Identifier: Apache-2.0
// The normalizer and the pre-tokenizer of BERT, as tokenizers 0.22.2 has them.
#pragma once

#include <string>
#include <string_view>

#include "tokenize/utf8.h"

namespace headrace::tokenize {

struct BertNormalizerOptions {
  bool clean_text = true;
  bool handle_chinese_chars = true;
  bool strip_accents = true;
  bool lowercase = true;
};

// Replaces *normalized by the normal form of `text` (valid UTF-8).
void bert_normalize(std::string_view text, const BertNormalizerOptions& options,
                    std::string* normalized);

enum class BertBreak { kNoBreak, kBlank, kPunctuation };
// Blanks end a word and vanish, punctuation is a word of its own.
BertBreak bert_break(std::uint32_t code_point);

// Calls word(std::string_view) for each word of `text` (valid UTF-8) until it returns false.
// False: it did.
template <class Word>
bool for_each_bert_word(std::string_view text, const Word& word) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::size_t begin = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::uint32_t length = 0;
    const BertBreak here = bert_break(utf8_decode(bytes + at, &length));
    if (here != BertBreak::kNoBreak) {
      if (begin < at && !word(text.substr(begin, at - begin))) return false;
      if (here == BertBreak::kPunctuation && !word(text.substr(at, length))) return false;
      begin = at + length;
    }
    at += length;
  }
  return begin == text.size() || word(text.substr(begin));
}

}  // namespace headrace::tokenize
