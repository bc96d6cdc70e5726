// SPDX-License-Identifier: Apache-2.0
// As tokenizers 0.22.2 does them; where its tables are of another version of Unicode than its
// neighbours', so are these (docs/rooms/11-tokenize.md).
#include "tokenize/normalizer_steps.h"

#include <algorithm>
#include <array>

#include <unicode/uniset.h>

#include "base/error.h"
#include "tokenize/byte_chars.h"
#include "tokenize/unicode_classes.h"

namespace headrace::tokenize {
namespace {

// A step from a function (text, normalized).
template <class Function>
class FunctionStep final : public Normalizer {
 public:
  explicit FunctionStep(Function function) : function_(std::move(function)) {}
  void normalize(std::string_view text, std::string* normalized) const override {
    normalized->clear();
    function_(text, normalized);
  }

 private:
  Function function_;
};

template <class Function>
NormalizerStep step(Function function) {
  return std::make_unique<FunctionStep<Function>>(std::move(function));
}

// is_combining_mark of Unicode 9.0: marks of then. U+1CF2 and U+1CF3 have become letters since, and
// U+111C9 a mark.
bool is_accent(std::uint32_t c) {
  static const icu::UnicodeSet kMarks = [] {
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeSet marks(u"[[[[:M:]&[:age=9.0:]]-[\U000111C9]]\u1CF2\u1CF3]", status);
    HEADRACE_DCHECK(U_SUCCESS(status));
    marks.freeze();
    return marks;
  }();
  return kMarks.contains(static_cast<UChar32>(c));
}

bool is_space(std::uint32_t c) {
  return contains(kSpaces, static_cast<CharClass>(char_classes()[c] & kClassMask));
}

bool is_between(std::uint32_t c, std::uint32_t first, std::uint32_t last) {
  return c >= first && c <= last;
}

bool nmt_removes(std::uint32_t c) {
  return is_between(c, 1, 8) || c == 0x0B || is_between(c, 0x0E, 0x1F) || c == 0x7F || c == 0x8F ||
         c == 0x9F;
}

bool nmt_blanks(std::uint32_t c) {
  constexpr std::array<std::uint32_t, 10> kOthers = {0x09,   0x0A,   0x0C,   0x0D,   0x1680,
                                                     0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD};
  return is_between(c, 0x200B, 0x200F) || std::ranges::find(kOthers, c) != kOthers.end();
}

}  // namespace

NormalizerStep make_unicode_form(UnicodeForm form) {
  return step(
      [form](std::string_view text, std::string* out) { to_unicode_form(form, text, out); });
}

NormalizerStep make_bert_step(BertNormalizerOptions options) {
  return step(
      [options](std::string_view text, std::string* out) { bert_normalize(text, options, out); });
}

NormalizerStep make_prepend(std::string prefix) {
  return step([prefix = std::move(prefix)](std::string_view text, std::string* out) {
    if (!text.empty()) out->append(prefix).append(text);
  });
}

NormalizerStep make_replace(std::string pattern, std::string by) {
  return step(
      [pattern = std::move(pattern), by = std::move(by)](std::string_view text, std::string* out) {
        std::size_t done = 0;
        for (std::size_t at = 0; (at = text.find(pattern, done)) != std::string_view::npos;) {
          out->append(text.substr(done, at - done)).append(by);
          done = at + pattern.size();
        }
        out->append(text.substr(done));
      });
}

NormalizerStep make_replace(Regex pattern, std::string by) {
  return step(
      [pattern = std::move(pattern), by = std::move(by)](std::string_view text, std::string* out) {
        Regex::Scratch scratch;
        RegexMatch match;
        std::size_t done = 0;
        while (done < text.size() && pattern.find(text, done, &scratch, &match) &&
               match.end > match.begin) {
          out->append(text.substr(done, match.begin - done)).append(by);
          done = match.end;
        }
        out->append(text.substr(done));
      });
}

NormalizerStep make_strip(bool left, bool right) {
  return step([left, right](std::string_view text, std::string* out) {
    std::size_t begin = text.size();
    std::size_t end = 0;
    for_each_character(text, [&](std::uint32_t c, std::string_view bytes) {
      if (is_space(c)) return;
      const auto at = static_cast<std::size_t>(bytes.data() - text.data());
      begin = std::min(begin, at);
      end = at + bytes.size();
    });
    if (!left) begin = 0;
    if (!right) end = text.size();
    if (begin < end) out->append(text.substr(begin, end - begin));
  });
}

NormalizerStep make_strip_accents() {
  return step([](std::string_view text, std::string* out) {
    for_each_character(text, [out](std::uint32_t c, std::string_view bytes) {
      if (c < 0x80 || !is_accent(c)) *out += bytes;
    });
  });
}

NormalizerStep make_nmt() {
  return step([](std::string_view text, std::string* out) {
    for_each_character(text, [out](std::uint32_t c, std::string_view bytes) {
      if (!nmt_removes(c)) *out += nmt_blanks(c) ? std::string_view(" ") : bytes;
    });
  });
}

NormalizerStep make_byte_chars() {
  return step([](std::string_view text, std::string* out) {
    for (const char byte : text) *out += byte_char(static_cast<unsigned char>(byte));
  });
}

}  // namespace headrace::tokenize
