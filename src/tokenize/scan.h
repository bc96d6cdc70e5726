// SPDX-License-Identifier: Apache-2.0
// What the splitters share: a view of the text by character class, and the parts that several
// patterns have in common.
#pragma once

#include <cstdint>

#include "tokenize/splitter.h"
#include "tokenize/unicode_classes.h"
#include "tokenize/utf8.h"

namespace headrace::tokenize {

// Reads character classes of [.., end). kEnd at the end.
class ClassReader {
 public:
  explicit ClassReader(const std::uint8_t* end) : end_(end), classes_(char_classes()) {}

  const std::uint8_t* end() const { return end_; }

  CharClass at(const std::uint8_t* p, std::uint32_t* length) const {
    if (p >= end_) {
      *length = 0;
      return kEnd;
    }
    return static_cast<CharClass>(classes_[utf8_decode(p, length)] & kClassMask);
  }
  CharClass at(const std::uint8_t* p) const {
    std::uint32_t length = 0;
    return at(p, &length);
  }

 private:
  const std::uint8_t* end_;
  const std::uint8_t* classes_;
};

// The end of the run of characters of `set` that starts at p.
template <class Reader>
const std::uint8_t* skip(const Reader& reader, const std::uint8_t* p, ClassSet set) {
  std::uint32_t length = 0;
  while (contains(set, reader.at(p, &length))) p += length;
  return p;
}

// The end of at most `most` characters of class kNumber.
template <class Reader>
const std::uint8_t* skip_numbers(const Reader& reader, const std::uint8_t* p, int most) {
  std::uint32_t length = 0;
  for (int i = 0; i < most && reader.at(p, &length) == kNumber; ++i) p += length;
  return p;
}

// `\s+(?!\S)|\s+`, and before them `\s*[\r\n]+` where the pattern has it. p is at white space.
//
// With newlines: to behind the last newline of the run. Else a run in front of something leaves its
// last character to what follows, if it has another.
template <bool kNewlines, class Reader>
const std::uint8_t* skip_spaces(const Reader& reader, const std::uint8_t* p) {
  const std::uint8_t* last = p;
  const std::uint8_t* behind_newline = nullptr;
  const std::uint8_t* q = p;
  CharClass c = kEnd;
  std::uint32_t length = 0;
  while (contains(kSpaces, c = reader.at(q, &length))) {
    last = q;
    q += length;
    if (kNewlines && c == kNewline) behind_newline = q;
  }
  if (behind_newline != nullptr) return behind_newline;
  return c == kEnd || last == p ? q : last;
}

// Bytes of the contraction at p ('s 't 'm 'd 're 've 'll), 0 if there is none. With `any_case`
// letter case does not count, and U+017F is an s, as Unicode case folding has it.
inline std::uint32_t contraction_length(const std::uint8_t* p, const std::uint8_t* end,
                                        bool any_case) {
  if (end - p < 2 || p[0] != '\'') return 0;
  const auto letter = [any_case](std::uint8_t b) {
    return any_case && b >= 'A' && b <= 'Z' ? static_cast<std::uint8_t>(b | 0x20) : b;
  };
  const std::uint8_t first = letter(p[1]);
  if (first == 's' || first == 't' || first == 'm' || first == 'd') return 2;
  if (end - p < 3) return 0;
  if (any_case && p[1] == 0xC5 && p[2] == 0xBF) return 3;
  const std::uint8_t second = letter(p[2]);
  const bool found = (first == 'r' && second == 'e') || (first == 'v' && second == 'e') ||
                     (first == 'l' && second == 'l');
  return found ? 3 : 0;
}

// A Splitter from a Scanner: an object with `next(p, end)`, the end of the piece that starts at
// p < end, always greater than p, and depends on nothing before p; and with mask_pattern().
template <class Scanner>
class ScanSplitter final : public Splitter {
 public:
  explicit ScanSplitter(Scanner scanner) : scanner_(scanner) {}

  std::size_t split(std::string_view text, std::size_t begin,
                    std::span<std::uint32_t> ends) const override {
    const auto* start = reinterpret_cast<const std::uint8_t*>(text.data());
    const std::uint8_t* const end = start + text.size();
    const std::uint8_t* p = start + begin;
    std::size_t count = 0;
    while (count < ends.size() && p < end) {
      p = scanner_.next(p, end);
      ends[count++] = static_cast<std::uint32_t>(p - start);
    }
    return count;
  }

  MaskPattern mask_pattern() const override { return scanner_.mask_pattern(); }

 private:
  Scanner scanner_;
};

}  // namespace headrace::tokenize
