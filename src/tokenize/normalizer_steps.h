// SPDX-License-Identifier: Apache-2.0
// The normalizers of tokenizer.json, each a step of a pipeline.
#pragma once

#include <memory>
#include <string>

#include "tokenize/bert_normalizer.h"
#include "tokenize/charsmap.h"
#include "tokenize/nfc.h"
#include "tokenize/pipeline.h"
#include "tokenize/regex.h"

namespace headrace::tokenize {

using NormalizerStep = std::unique_ptr<const Normalizer>;

NormalizerStep make_unicode_form(UnicodeForm form);
NormalizerStep make_bert_step(
    BertNormalizerOptions options);               // Lowercase, too, is one of its parts
NormalizerStep make_prepend(std::string prefix);  // not to an empty text
NormalizerStep make_replace(std::string text, std::string by);
NormalizerStep make_replace(Regex pattern, std::string by);
NormalizerStep make_strip(bool left, bool right);
NormalizerStep make_strip_accents();
NormalizerStep make_nmt();
NormalizerStep make_precompiled(CharsMap map);
NormalizerStep make_byte_chars();  // ByteLevel

// Calls take(begin, end) for each character.
template <class Take>
void for_each_character(std::string_view text, const Take& take) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  std::uint32_t length = 0;
  for (std::size_t at = 0; at < text.size(); at += length) {
    const std::uint32_t c = utf8_decode(bytes + at, &length);
    take(c, text.substr(at, length));
  }
}

}  // namespace headrace::tokenize
