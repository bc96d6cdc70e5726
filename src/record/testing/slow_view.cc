// SPDX-License-Identifier: Apache-2.0
#include "record/testing/slow_view.h"

#include <algorithm>
#include <set>

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include "record/char_class.h"

namespace headrace {
namespace {

bool is_category(std::uint32_t c, std::uint32_t mask) {
  return (U_GET_GC_MASK(static_cast<UChar32>(c)) & mask) != 0;
}

bool is_sign(std::uint32_t c) {
  static const std::set<char32_t> signs = {U'#',  U'@',  U'*',  U'&',  U'%',  U'\\', U'_',
                                           U'•',  U'‣',  U'⁃',  U'§',  U'¶',  U'†',  U'‡',
                                           U'※',  U'＃', U'＠', U'＊', U'＆', U'％', U'＼',
                                           U'＿', U'﹟', U'﹫', U'﹡', U'﹠', U'﹪', U'﹨'};
  return signs.contains(c);
}

bool is_soft_end(std::uint32_t c) { return c == U'．' || c == U'﹒'; }

bool is_end_mark(std::uint32_t c) {
  return c == U'…' || c == U'；' || u_hasBinaryProperty(static_cast<UChar32>(c), UCHAR_S_TERM);
}

bool is_closing(std::uint32_t c) {
  return c == '"' || c == '\'' || is_category(c, U_GC_PE_MASK | U_GC_PF_MASK);
}

}  // namespace

std::uint8_t slow_char_class(std::uint32_t c) {
  const auto icu = static_cast<UChar32>(c);
  UErrorCode error = U_ZERO_ERROR;
  // Planes 2 and 3 are set aside for Han: what is not assigned there counts as Han already.
  if (u_charType(icu) == U_UNASSIGNED && c >= 0x20000 && c < 0x40000) return kHan;
  if (uscript_getScript(icu, &error) == USCRIPT_HAN && !is_category(c, U_GC_P_MASK)) return kHan;
  if (u_isUWhiteSpace(icu)) return kSpace;
  unsigned bits = 0;
  if (is_category(c, U_GC_L_MASK | U_GC_MN_MASK | U_GC_MC_MASK) &&
      !u_hasBinaryProperty(icu, UCHAR_VARIATION_SELECTOR)) {
    bits |= kLetter;
  }
  if (is_category(c, U_GC_LU_MASK)) bits |= kUpper;
  if (is_category(c, U_GC_ND_MASK)) bits |= kDigit;
  if ((is_category(c, U_GC_P_MASK) && !is_sign(c)) || c == U'～') bits |= kPunct;
  if (is_end_mark(c)) bits |= kEndMark | kPunct;
  if (is_closing(c) || is_soft_end(c)) bits |= kCloser | kPunct;
  return static_cast<std::uint8_t>(bits);
}

SlowView::SlowView(std::string_view input) : text(input) {
  for (std::int32_t at = 0; at < static_cast<std::int32_t>(text.size());) {
    offsets.push_back(static_cast<std::uint32_t>(at));
    UChar32 c = 0;
    U8_NEXT(text.data(), at, static_cast<std::int32_t>(text.size()), c);
    code_points.push_back(static_cast<std::uint32_t>(c));
    classes.push_back(slow_char_class(static_cast<std::uint32_t>(c)));
  }
  const std::size_t n = code_points.size();
  offsets.push_back(static_cast<std::uint32_t>(text.size()));
  const auto is = [&](std::size_t i, int bits) { return (classes[i] & bits) != 0; };

  for (std::size_t i = 0; i < n;) {
    if (!is(i, kLetter | kDigit | kHan)) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    if (!is(i, kHan)) {
      while (end < n && is(end, kLetter | kDigit)) ++end;
    }
    word_begin.push_back(offsets[i]);
    word_end.push_back(offsets[end]);
    words.push_back(text.substr(offsets[i], offsets[end] - offsets[i]));
    i = end;
  }

  for (std::size_t i = 0; i < n; ++i) {
    if (!is(i, kEndMark) || (i + 1 < n && is(i + 1, kEndMark))) continue;
    std::size_t end = i + 1;
    if (code_points[i] < 0x80 || is_soft_end(code_points[i])) {
      while (end < n && is_closer(classes[end])) ++end;
      if (end < n && !is(end, kSpace | kHan)) continue;
    }
    sentence_ends.push_back(offsets[end]);
  }
  const std::uint32_t last = sentence_ends.empty() ? 0 : sentence_ends.back();
  if (!words.empty() && word_begin.back() >= last) {
    sentence_ends.push_back(static_cast<std::uint32_t>(text.size()));
  }

  for (std::size_t begin = 0; begin <= n;) {
    std::size_t end = begin;
    while (end < n && code_points[end] != '\n') ++end;
    std::size_t a = begin;
    std::size_t b = end;
    while (a < b && is(a, kSpace)) ++a;
    while (b > a && is(b - 1, kSpace)) --b;
    if (a < b) lines.push_back(text.substr(offsets[a], offsets[b] - offsets[a]));
    begin = end + 1;
  }
}

std::size_t SlowView::count(std::uint8_t class_bit) const {
  return static_cast<std::size_t>(std::count_if(
      classes.begin(), classes.end(), [&](std::uint8_t c) { return (c & class_bit) != 0; }));
}

std::size_t SlowView::count_symbols() const {
  return static_cast<std::size_t>(std::count(classes.begin(), classes.end(), 0));
}

}  // namespace headrace
