// SPDX-License-Identifier: Apache-2.0
// Is this ASCII the text that it seems to be, or Chinese, Japanese or Korean in seven bits?
//
// ISO-2022 and HZ write a character as two printable bytes and say by an escape sequence where such
// characters begin and end. All of that is valid UTF-8, so nothing but the sequences gives it away.
// A sequence alone proves nothing: ~{ stands in C, Perl and Lisp, and a table of escape sequences
// holds ESC $ B. So each section between two of them is read, and counts as good when it is made of
// whole characters that are common in the language. Sections that are not may be one in five.
//
// A section's bytes are those of EUC-JP, EUC-KR or GB 2312 less their high bits, so these are what
// decodes them. Cost: a search for ESC and ~{ at memory speed; the sections, up to 16 KiB of them.
// Sections: RFC 1468 (Japanese), 1557 (Korean), 1922 (Chinese), 1843 (HZ).
#include "normalize/internal/character_cost.h"
#include "normalize/internal/encodings.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kSampleBytes = 16 << 10;
constexpr std::size_t kFewestEscaped = 2;  // characters; ESC is rare in text
constexpr std::size_t kFewestHz = 4;       // ~{ is not
constexpr float kCommonBits = 14;          // per character, at most, in a good section

struct Sections {
  std::size_t good = 0;
  std::size_t bad = 0;
  std::size_t characters = 0;  // of the good ones
  std::size_t bytes = 0;

  bool enough(std::size_t fewest) const { return characters >= fewest && good >= 4 * bad; }
};

// Reads the characters from `begin` on up to `end`; "" stands for any control character. Returns
// where reading stopped. Korean has blanks between its words, which stand for themselves.
std::size_t read_section(std::string_view head, std::size_t begin, std::string_view end,
                         const char* converter, Language language, Sections* sections) {
  std::string high;
  std::size_t i = begin;
  for (; i < head.size() && head[i] >= ' ' && head[i] <= '~'; ++i) {
    const bool between = high.size() % 2 == 0;
    if (between && !end.empty() && head.substr(i, end.size()) == end) break;
    if (head[i] != ' ') {
      high.push_back(static_cast<char>(head[i] | 0x80));
    } else if (!between || !end.empty()) {
      break;
    }
  }
  sections->bytes += high.size();
  if (i == head.size()) return i;  // cut off: neither good nor bad
  const bool ended = end.empty() ? head[i] < ' ' : head.substr(i, end.size()) == end;
  if (ended && high.empty()) return i;
  std::u16string text;
  std::size_t bad_bytes = 0;
  icu_decode_prefix(converter, high, &text, &bad_bytes);
  float bits = 0;
  for (const char16_t unit : text) bits += character_bits(language, unit);
  if (ended && bad_bytes == 0 && bits < kCommonBits * static_cast<float>(text.size())) {
    ++sections->good;
    sections->characters += text.size();
  } else {
    ++sections->bad;
  }
  return i;
}

// Japanese: ESC $ B begins a section, another escape sequence ends it.
Sections japanese_sections(std::string_view head) {
  Sections sections;
  for (std::size_t i = head.find("\x1B$"); i < head.size() && sections.bytes < kSampleBytes;
       i = head.find("\x1B$", i)) {
    i += 2;
    if (head.substr(i, 1) != "B" && head.substr(i, 1) != "@") continue;
    i = read_section(head, i + 1, "", "euc-jp-2007", Language::kJapanese, &sections);
  }
  return sections;
}

// Korean and Chinese: an escape sequence names the characters once, SO and SI stand around them.
Sections shifted_sections(std::string_view head, const char* converter, Language language) {
  Sections sections;
  for (std::size_t i = head.find('\x0E'); i < head.size() && sections.bytes < kSampleBytes;
       i = head.find('\x0E', i)) {
    i = read_section(head, i + 1, "", converter, language, &sections);
  }
  return sections;
}

Sections hz_sections(std::string_view head) {
  Sections sections;
  for (std::size_t i = head.find("~{"); i < head.size() && sections.bytes < kSampleBytes;
       i = head.find("~{", i)) {
    i = read_section(head, i + 2, "~}", "gb18030", Language::kSimplified, &sections);
  }
  return sections;
}

}  // namespace

std::string seven_bit_encoding(std::string_view head) {
  if (head.find('\x1B') != std::string_view::npos) {
    if (japanese_sections(head).enough(kFewestEscaped)) return "iso-2022-jp";
    if (head.find("\x1B$)C") != std::string_view::npos &&
        shifted_sections(head, "windows-949-2000", Language::kKorean).enough(kFewestEscaped)) {
      return "iso-2022-kr";
    }
    if (head.find("\x1B$)A") != std::string_view::npos &&
        shifted_sections(head, "gb18030", Language::kSimplified).enough(kFewestEscaped)) {
      return "iso-2022-cn";
    }
  }
  return hz_sections(head).enough(kFewestHz) ? "hz-gb-2312" : "";
}

}  // namespace headrace::normalize::internal
