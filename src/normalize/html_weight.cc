// SPDX-License-Identifier: Apache-2.0
// One pass over UTF-8 without decoding: a byte that begins a character weighs one, two more if the
// character lies in the ranges of Chinese, Japanese and Korean (U+2E80-D7FF, F900-FAFF, FF00-FFEF).
#include "normalize/internal/html_weight.h"

#include <array>

namespace headrace::normalize::internal {
namespace {

unsigned char byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

bool is_wide(unsigned char a, unsigned char b, unsigned char c) {
  if (a == 0xE2) return b >= 0xBA;
  if (a >= 0xE3 && a <= 0xED) return true;
  if (a != 0xEF) return false;
  return (b >= 0xA4 && b <= 0xAB) || (b >= 0xBC && b <= 0xBE) || (b == 0xBF && c <= 0xAF);
}

// 。 ， 、 ； ： ！ ？
bool is_wide_mark(unsigned char a, unsigned char b, unsigned char c) {
  if (a == 0xE3) return b == 0x80 && (c == 0x81 || c == 0x82);
  return a == 0xEF && b == 0xBC && (c == 0x81 || c == 0x8C || c == 0x9A || c == 0x9B || c == 0x9F);
}

// What may follow a mark for it to end something: the end, white space, a quote, a bracket.
bool ends_clause(std::string_view text, std::size_t i) {
  if (i >= text.size()) return true;
  const char c = text[i];
  if (c == '"' || c == '\'' || c == ')') return true;
  if (white_length(text, i) > 0) return true;
  return c == '\xE2' && byte_at(text, i + 1) == 0x80 &&
         (byte_at(text, i + 2) == 0x9D || byte_at(text, i + 2) == 0x99);
}

constexpr std::array<bool, 128> kMarks = [] {
  std::array<bool, 128> marks{};
  for (const char c : {',', ';', ':', '.', '!', '?'}) marks[static_cast<unsigned char>(c)] = true;
  return marks;
}();

}  // namespace

TextWeight weigh(std::string_view text) {
  TextWeight result;
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char a = byte_at(text, i);
    if (a < 0x80) {
      ++result.weight;
      if (kMarks[a] && ends_clause(text, i + 1)) ++result.marks;
      ++i;
    } else if (a < 0xE0) {
      ++result.weight;
      i += 2;
    } else if (a < 0xF0) {
      const unsigned char b = byte_at(text, i + 1);
      const unsigned char c = byte_at(text, i + 2);
      const bool wide = is_wide(a, b, c);
      result.weight += wide ? 3 : 1;
      const bool ellipsis = a == 0xE2 && b == 0x80 && c == 0xA6;
      if (wide ? is_wide_mark(a, b, c) : ellipsis && ends_clause(text, i + 3)) ++result.marks;
      i += 3;
    } else {
      ++result.weight;
      i += 4;
    }
  }
  return result;
}

std::size_t wide_white_length(std::string_view text, std::size_t i) {
  const unsigned char a = byte_at(text, i);
  const unsigned char b = byte_at(text, i + 1);
  if (a == 0xC2) return b == 0xA0 || b == 0x85 ? 2 : 0;
  const unsigned char c = byte_at(text, i + 2);
  if (a == 0xE2) {
    const bool general = b == 0x80 && (c <= 0x8A || c == 0xA8 || c == 0xA9 || c == 0xAF);
    return general || (b == 0x81 && c == 0x9F) ? 3 : 0;
  }
  return (a == 0xE1 && b == 0x9A && c == 0x80) || (a == 0xE3 && b == 0x80 && c == 0x80) ? 3 : 0;
}

std::string_view trim_white(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t length = white_length(text, begin);
    if (length == 0) break;
    begin += length;
  }
  std::size_t end = text.size();
  while (end > begin) {
    std::size_t last = end - 1;
    while (last > begin && (byte_at(text, last) & 0xC0) == 0x80) --last;
    if (white_length(text, last) == 0) break;
    end = last;
  }
  return text.substr(begin, end - begin);
}

void fold_lines(std::string* text, std::size_t from) {
  std::string& t = *text;
  std::size_t write = from;
  for (std::size_t read = from; read < t.size();) {
    std::size_t white = white_length(t, read);
    if (white == 0) {
      t[write++] = t[read++];
      continue;
    }
    const std::size_t begin = read;
    bool line_end = false;
    for (; white > 0; white = white_length(t, read)) {
      line_end |= t[read] == '\n';
      read += white;
    }
    if (write == from || read >= t.size()) continue;
    if (read - begin == 3 && t.compare(begin, 3, "\xE3\x80\x80") == 0) {
      for (std::size_t i = begin; i < read; ++i) t[write++] = t[i];
    } else {
      t[write++] = line_end ? '\n' : ' ';
    }
  }
  t.resize(write);
}

}  // namespace headrace::normalize::internal
