// SPDX-License-Identifier: Apache-2.0
// Precompiled: the rules of a SentencePiece normalizer as tokenizers applies them, which is not how
// SentencePiece does. A grapheme of fewer than six bytes is looked up first, and the rule of the
// shortest string at its front replaces all of it; else each of its characters is looked up alone.
#include <unicode/brkiter.h>
#include <unicode/unistr.h>
#include <unicode/utext.h>

#include "base/error.h"
#include "tokenize/normalizer_steps.h"

namespace headrace::tokenize {
namespace {

constexpr std::size_t kLongestGrapheme = 5;  // bytes, of those that are looked up

class Precompiled final : public Normalizer {
 public:
  explicit Precompiled(CharsMap map) : map_(std::move(map)) {}

  void normalize(std::string_view text, std::string* normalized) const override {
    normalized->clear();
    // Between two characters of ASCII there is a border, but for CR LF.
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = begin + 1;
      while (end < text.size() && !is_border(text, end)) ++end;
      if (end - begin == 1) {
        add_grapheme(text.substr(begin, 1), normalized);
      } else {
        add_stretch(text.substr(begin, end - begin), normalized);
      }
      begin = end;
    }
  }

 private:
  static bool is_border(std::string_view text, std::size_t at) {
    const auto before = static_cast<std::uint8_t>(text[at - 1]);
    const auto behind = static_cast<std::uint8_t>(text[at]);
    return before < 0x80 && behind < 0x80 && !(before == '\r' && behind == '\n');
  }

  void add_stretch(std::string_view text, std::string* out) const {
    UErrorCode status = U_ZERO_ERROR;
    thread_local const std::unique_ptr<icu::BreakIterator> graphemes(
        icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
    UText bytes = UTEXT_INITIALIZER;
    utext_openUTF8(&bytes, text.data(), static_cast<std::int64_t>(text.size()), &status);
    graphemes->setText(&bytes, status);
    HEADRACE_DCHECK(U_SUCCESS(status));
    std::int32_t begin = graphemes->first();
    for (std::int32_t end = graphemes->next(); end != icu::BreakIterator::DONE;
         begin = end, end = graphemes->next()) {
      add_grapheme(
          text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), out);
    }
    utext_close(&bytes);
  }

  void add_grapheme(std::string_view grapheme, std::string* out) const {
    if (grapheme.size() <= kLongestGrapheme) {
      const CharsMap::Rule rule = map_.shortest(grapheme);
      if (rule.length > 0) {
        *out += rule.replacement;
        return;
      }
    }
    for_each_character(grapheme, [&](std::uint32_t, std::string_view character) {
      const CharsMap::Rule rule = map_.shortest(character);
      *out += rule.length > 0 ? rule.replacement : character;
    });
  }

  CharsMap map_;
};

}  // namespace

NormalizerStep make_precompiled(CharsMap map) {
  return std::make_unique<Precompiled>(std::move(map));
}

}  // namespace headrace::tokenize
