// SPDX-License-Identifier: Apache-2.0
// Removes control characters and what is invisible, and makes line ends "\n".
//
// Removed: C0 controls but tab and line feed, DEL, C1; U+FEFF (a byte order mark in the middle of a
// text), zero-width space and word joiner, soft hyphen, bidi controls, invisible operators,
// interlinear annotation, noncharacters, tag characters. They are left over from pages, PDFs and
// joined files; they split words for a tokenizer and hide text from people.
//
// Terminal control sequences (ESC [ ... letter: colours, cursor moves; ECMA-48 5.4) go as a whole,
// as one change: without its ESC, "[33m" would stay as text. An unfinished one loses its ESC only.
//
// Replaced by "\n": CR LF, lone CR, vertical tab, form feed and NEL, which are line ends under
// other names; dropping them would glue words together.
//
// Kept where they change what is read: zero-width joiner and non-joiner between letters of Arabic
// (Persian می‌خواهم), Indic and the other joining scripts; the joiner inside emoji
// (👩‍💻); tag
// characters of flags (🏴󠁧󠁢󠁥󠁮󠁧󠁿). Variation selectors, private use and U+FFFD
// are left alone.
//
// Cost: clean text costs a scan at several GB/s; a change costs a code point's look at its
// neighbours.
#include <algorithm>
#include <cstring>

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include "normalize/internal/suspects.h"
#include "normalize/internal/utf8.h"
#include "normalize/normalize.h"

namespace headrace::normalize {
namespace {

using internal::code_point_at;
using internal::code_point_before;
using internal::CodePoint;
using internal::is;
using internal::within;

constexpr char32_t kNonJoiner = 0x200C;
constexpr char32_t kJoiner = 0x200D;
constexpr char32_t kBlackFlag = 0x1F3F4;
constexpr char32_t kTagEnd = 0xE007F;

struct Pattern {
  template <class Bytes>
  static auto matches(Bytes a, Bytes b, Bytes c) {
    const auto control = (within(a, 0x00, 0x1F) & within(a, 0x0B, 0x08)) | is(a, 0x7F);
    const auto latin = is(a, 0xC2) & (within(b, 0x80, 0x9F) | is(b, 0xAD));
    const auto arabic = is(a, 0xD8) & is(b, 0x9C);
    const auto general =
        is(a, 0xE2) & ((is(b, 0x80) & (within(c, 0x8B, 0x8F) | within(c, 0xAA, 0xAE))) |
                       (is(b, 0x81) & within(c, 0xA0, 0xAF)));
    const auto special =
        is(a, 0xEF) & ((is(b, 0xBB) & is(c, 0xBF)) |
                       (is(b, 0xBF) & (within(c, 0xB9, 0xBB) | within(c, 0xBE, 0xBF))) |
                       (is(b, 0xB7) & within(c, 0x90, 0xAF)));
    const auto tag = is(a, 0xF3) & is(b, 0xA0) & within(c, 0x80, 0x81);
    return control | latin | arabic | general | special | tag;
  }
};

bool is_tag(char32_t c) { return c >= 0xE0000 && c <= kTagEnd; }

// Removed wherever it stands. Joiners and tags are decided by their neighbours.
bool is_invisible(char32_t c) {
  if (c < 0x20) return c != '\t' && c != '\n';
  if (c < 0xA0) return c >= 0x7F;
  if (c < 0x2000) return c == 0xAD || c == 0x61C;
  if (c <= 0x206F) {
    return c == 0x200B || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) || c >= 0x2060;
  }
  return c == 0xFEFF || (c >= 0xFFF9 && c <= 0xFFFB) || c == 0xFFFE || c == 0xFFFF ||
         (c >= 0xFDD0 && c <= 0xFDEF);
}

bool is_line_end(char32_t c) { return c == '\r' || c == '\v' || c == '\f' || c == 0x85; }

// Letters and marks of scripts whose shapes a joiner or non-joiner changes.
bool joins(char32_t c) {
  constexpr UScriptCode kScripts[] = {
      USCRIPT_ARABIC,  USCRIPT_SYRIAC,   USCRIPT_NKO,       USCRIPT_MONGOLIAN, USCRIPT_DEVANAGARI,
      USCRIPT_BENGALI, USCRIPT_GURMUKHI, USCRIPT_GUJARATI,  USCRIPT_ORIYA,     USCRIPT_TAMIL,
      USCRIPT_TELUGU,  USCRIPT_KANNADA,  USCRIPT_MALAYALAM, USCRIPT_SINHALA,   USCRIPT_TIBETAN,
      USCRIPT_MYANMAR, USCRIPT_KHMER,    USCRIPT_MANDAIC,   USCRIPT_ADLAM,     USCRIPT_JAVANESE,
      USCRIPT_BALINESE};
  const auto point = static_cast<UChar32>(c);
  if (c < 0x300 || !(u_isalpha(point) || (U_GET_GC_MASK(point) & U_GC_M_MASK) != 0)) return false;
  for (const UScriptCode script : kScripts) {
    if (uscript_hasScript(point, script)) return true;
  }
  return false;
}

bool is_pictograph(char32_t c) {
  return u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_EXTENDED_PICTOGRAPHIC);
}

// What an emoji may end with before it is joined to the next.
bool ends_pictograph(char32_t c) {
  return c == 0xFE0F || (c >= 0x1F3FB && c <= 0x1F3FF) || is_pictograph(c);
}

// `before`: the text kept so far. `after`: the text behind the joiner.
bool keeps_joiner(char32_t joiner, std::string_view before, std::string_view after) {
  if (before.empty()) return false;
  const char32_t left = code_point_before(before, before.size()).value;
  char32_t right = 0;
  for (std::size_t i = 0; i < after.size();) {
    const CodePoint next = code_point_at(after, i);
    if (!is_invisible(next.value) || is_line_end(next.value)) {
      right = next.value;
      break;
    }
    i += next.length;
  }
  if (joiner == kNonJoiner) return joins(left) && joins(right);
  // A joiner at the end of a word is meaningful in Arabic and Malayalam.
  return joins(left) || (ends_pictograph(left) && is_pictograph(right));
}

// Bytes of the tag sequence at the start of `after` that spells a region behind a black flag; 0 if
// it is none.
std::size_t flag_tags(std::string_view before, std::string_view after) {
  constexpr std::size_t kFewest = 3;  // letters of a region: gbeng, usca
  constexpr std::size_t kMost = 6;
  if (before.empty() || code_point_before(before, before.size()).value != kBlackFlag) return 0;
  std::size_t i = 0;
  for (std::size_t letters = 0; i < after.size(); ++letters) {
    const CodePoint tag = code_point_at(after, i);
    i += tag.length;
    if (tag.value == kTagEnd) return letters >= kFewest && letters <= kMost ? i : 0;
    const char32_t letter = tag.value - 0xE0000;
    if (!(letter >= 'a' && letter <= 'z') && !(letter >= '0' && letter <= '9')) return 0;
  }
  return 0;
}

// Bytes of the terminal control sequence at the start of `text`; 0 if there is none.
std::size_t control_sequence(std::string_view text) {
  const auto run = [&](std::size_t from, char first, char last) {
    while (from < text.size() && first <= text[from] && text[from] <= last) ++from;
    return from;
  };
  if (!text.starts_with("\x1B[")) return 0;
  const std::size_t last = run(run(2, '0', '?'), ' ', '/');  // parameters, then intermediates
  return last < text.size() && '@' <= text[last] && text[last] <= '~' ? last + 1 : 0;
}

class ControlChars final : public Step {
 public:
  std::size_t apply(std::string& text, Markup&, std::string& scratch) const override {
    (void)scratch;
    std::size_t changes = 0;
    std::size_t read = 0;
    std::size_t write = 0;
    const auto keep = [&](std::size_t length) {
      if (write != read) std::memmove(text.data() + write, text.data() + read, length);
      write += length;
      read += length;
    };
    for (;;) {
      keep(internal::find_suspect<Pattern>(text, read) - read);
      if (read == text.size()) break;
      const CodePoint c = code_point_at(text, read);
      const std::string_view before(text.data(), write);
      const std::string_view after = std::string_view(text).substr(read);
      if (is_line_end(c.value) && !(c.value == '\r' && after.substr(1, 1) == "\n")) {
        text[write++] = '\n';
        read += c.length;
        ++changes;
      } else if (const std::size_t kept = kept_length(c, before, after); kept > 0) {
        keep(kept);
      } else {
        read += std::max(c.length, control_sequence(after));
        ++changes;
      }
    }
    text.resize(write);
    return changes;
  }

 private:
  // Bytes to keep at the start of `after`, which begins with `c`; 0: `c` goes.
  static std::size_t kept_length(CodePoint c, std::string_view before, std::string_view after) {
    if (c.value == kJoiner || c.value == kNonJoiner) {
      return keeps_joiner(c.value, before, after.substr(c.length)) ? c.length : 0;
    }
    if (is_tag(c.value)) return flag_tags(before, after);
    return is_invisible(c.value) ? 0 : c.length;
  }
};

Result<std::unique_ptr<Step>> make(const OptionValues&) { return std::make_unique<ControlChars>(); }

}  // namespace

void register_control_chars(Registry& registry) {
  registry.add(
      {"control_chars",
       "characters removed or replaced",
       "removes control, invisible and bidi characters and terminal colours and makes line ends "
       "\\n; keeps joiners inside emoji and words",
       {},
       make});
}

}  // namespace headrace::normalize
