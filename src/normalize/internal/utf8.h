// SPDX-License-Identifier: Apache-2.0
// UTF-8 by hand, for the few places that look at single code points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace headrace::normalize::internal {

// A sequence of bytes that is not UTF-8.
struct Utf8Fault {
  std::size_t offset = 0;  // of its first byte; the size of the text if there is no fault
  std::size_t length =
      0;             // maximal subpart (Unicode 3.9): what a decoder would replace by one mark
  bool cut = false;  // it is the beginning of a character that the end of the text cuts off
};

// Length of the valid sequence at `i`, or 0 with `fault` filled. C0, C1, F5-FF, overlong forms,
// surrogates and what lies beyond U+10FFFF are not valid. i < text.size().
inline std::size_t sequence_length(std::string_view text, std::size_t i, Utf8Fault* fault) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char lead = byte(i);
  if (lead < 0x80) return 1;
  const std::size_t need = lead < 0xC2   ? 0
                           : lead < 0xE0 ? 2
                           : lead < 0xF0 ? 3
                           : lead < 0xF5 ? 4
                                         : 0;
  std::size_t have = 1;
  if (need != 0) {
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    while (have < need && i + have < text.size() && byte(i + have) >= low &&
           byte(i + have) <= high) {
      ++have;
      low = 0x80;
      high = 0xBF;
    }
    if (have == need) return need;
  }
  *fault = {i, have, need != 0 && i + have == text.size()};
  return 0;
}

// The first fault at or after `from`, by a scalar scan: for reports, not for validation.
inline Utf8Fault find_utf8_fault(std::string_view text, std::size_t from = 0) {
  Utf8Fault fault;
  for (std::size_t i = from; i < text.size();) {
    const std::size_t length = sequence_length(text, i, &fault);
    if (length == 0) return fault;
    i += length;
  }
  return {text.size(), 0, false};
}

// The code point at `i` of valid UTF-8, and its length.
struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;
};

inline CodePoint code_point_at(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) {
    return static_cast<char32_t>(static_cast<unsigned char>(text[k]));
  };
  const char32_t lead = byte(i);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1F) << 6 | (byte(i + 1) & 0x3F), 2};
  if (lead < 0xF0) {
    return {(lead & 0x0F) << 12 | (byte(i + 1) & 0x3F) << 6 | (byte(i + 2) & 0x3F), 3};
  }
  return {(lead & 0x07) << 18 | (byte(i + 1) & 0x3F) << 12 | (byte(i + 2) & 0x3F) << 6 |
              (byte(i + 3) & 0x3F),
          4};
}

// The code point that ends just before `end` (> 0) of valid UTF-8, and its length.
inline CodePoint code_point_before(std::string_view text, std::size_t end) {
  std::size_t i = end - 1;
  while ((static_cast<unsigned char>(text[i]) & 0xC0) == 0x80) --i;
  return code_point_at(text, i);
}

// Appends a scalar value (never a surrogate).
inline void append_utf8(char32_t c, std::string* text) {
  if (c < 0x80) {
    text->push_back(static_cast<char>(c));
    return;
  }
  if (c < 0x800) {
    text->push_back(static_cast<char>(0xC0 | c >> 6));
  } else {
    if (c < 0x10000) {
      text->push_back(static_cast<char>(0xE0 | c >> 12));
    } else {
      text->push_back(static_cast<char>(0xF0 | c >> 18));
      text->push_back(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
    }
    text->push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
  }
  text->push_back(static_cast<char>(0x80 | (c & 0x3F)));
}

}  // namespace headrace::normalize::internal
