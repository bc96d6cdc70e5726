// SPDX-License-Identifier: Apache-2.0
// What the finders of the step pii share: each says where one kind of personal data stands.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace headrace::normalize::internal {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; }
inline bool is_hex(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); }
inline bool is_word(char c) { return is_digit(c) || is_letter(c) || c == '_'; }

// Bytes of `text`; empty when nothing was found.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool found() const { return end > begin; }
};

// A text that is masked from left to right. What lies before `floor` has been dealt with, and the
// finders see of it only that it ended in a mask: so they judge what follows as a second
// application of the step would, which sees the mask.
struct MaskedText {
  std::string_view text;
  std::size_t floor = 0;

  char before(std::size_t i) const {
    if (i > floor) return text[i - 1];
    return floor == 0 ? '\n' : '>';
  }
  char at(std::size_t i) const { return i < text.size() ? text[i] : '\n'; }
  // At most `most` bytes that end at `i`.
  std::string_view left_of(std::size_t i, std::size_t most) const {
    const std::size_t begin = std::max(floor, i - std::min(i, most));
    return text.substr(begin, i - begin);
  }
  std::size_t digits_end(std::size_t i) const {
    while (i < text.size() && is_digit(text[i])) ++i;
    return i;
  }
};

// The address around the "@" at `at` (pii_email.cc).
Span find_email(const MaskedText& text, std::size_t at);
// Where the "@" stands when what begins at `i` may be part of the name before it; else `i`.
std::size_t end_of_email_name(const MaskedText& text, std::size_t i);

// The number whose first run of digits, or "+", stands at `at` (pii_phone.cc).
Span find_phone(const MaskedText& text, std::size_t at);
Span find_international_phone(const MaskedText& text, std::size_t plus);

// The identity number that is the run of digits at `at` (pii_id_card.cc).
Span find_id_card(const MaskedText& text, std::size_t at);

// The public address that begins with the run of digits or hex digits at `at` (pii_ip.cc).
Span find_ipv4(const MaskedText& text, std::size_t at);
Span find_ipv6(const MaskedText& text, std::size_t at);

}  // namespace headrace::normalize::internal
