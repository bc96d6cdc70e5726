// SPDX-License-Identifier: Apache-2.0
// Public addresses of the Internet Protocol. Private, loopback, link-local, multicast, reserved and
// documentation ranges (IANA special-purpose registries) identify nobody and stay, as netmasks do.
//
// Four numbers with dots are also versions ("11.2.202.235", "1.7.0.51") and section numbers. They
// are told apart by what stands before them (version, v, Product/) and by their size: two of four
// numbers below 10, or all four below 32, are read as a version. That keeps some two addresses in a
// hundred unmasked, and public resolvers such as 8.8.8.8 with them.
//
// IPv6: eight groups, or "::" and three groups at least; only 2000::/3, where public addresses are.
#include <array>
#include <cstdint>

#include "normalize/internal/pii.h"

namespace headrace::normalize::internal {
namespace {

struct Range {
  std::uint32_t first;
  int bits;
};

constexpr std::array<Range, 13> kSpecial = {{{0x00000000, 8},
                                             {0x0A000000, 8},
                                             {0x64400000, 10},
                                             {0x7F000000, 8},
                                             {0xA9FE0000, 16},
                                             {0xAC100000, 12},
                                             {0xC0000000, 24},
                                             {0xC0000200, 24},
                                             {0xC0A80000, 16},
                                             {0xC6120000, 15},
                                             {0xC6336400, 24},
                                             {0xCB007100, 24},
                                             {0xE0000000, 3}}};

bool is_public(std::uint32_t address) {
  return std::none_of(kSpecial.begin(), kSpecial.end(), [&](const Range& range) {
    return (address ^ range.first) >> (32 - range.bits) == 0;
  });
}

// "version 1.2.3.4", "版本：1.2.3.4", "Flash/11.2.202.235"; but "http://1.2.3.4".
bool version_before(const MaskedText& text, std::size_t begin) {
  if (text.before(begin) == '/' && begin - 1 > text.floor)
    return is_letter(text.text[begin - 2]) || is_digit(text.text[begin - 2]);
  std::string_view left = text.left_of(begin, 24);
  constexpr std::string_view kColon = "：";
  while (!left.empty()) {
    if (left.ends_with(kColon)) {
      left.remove_suffix(kColon.size());
    } else if (std::string_view(" \t:=.#\"'").find(left.back()) != std::string_view::npos) {
      left.remove_suffix(1);
    } else {
      break;
    }
  }
  constexpr std::array<std::string_view, 12> kWords = {"version", "ver",      "v",    "release",
                                                       "rel",     "build",    "rev",  "driver",
                                                       "sdk",     "firmware", "版本", "版本号"};
  return std::any_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
    if (left.size() < word.size()) return false;
    const std::string_view last = left.substr(left.size() - word.size());
    const bool same = std::equal(last.begin(), last.end(), word.begin(), [](char a, char b) {
      return (is_letter(a) ? static_cast<char>(a | 0x20) : a) == b;
    });
    return same && (!is_letter(word.front()) || left.size() == word.size() ||
                    !is_letter(left[left.size() - word.size() - 1]));
  });
}

}  // namespace

Span find_ipv4(const MaskedText& text, std::size_t at) {
  const char before = text.before(at);
  if (is_word(before) || before == '.' || before == '-') return {};
  std::uint32_t address = 0;
  std::uint32_t largest = 0;
  int small = 0;
  std::size_t end = at;
  for (int part = 0; part < 4; ++part) {
    if (part > 0 && text.at(end++) != '.') return {};
    const std::size_t begin = end;
    end = std::min(text.digits_end(begin), begin + 4);
    if (end == begin || end - begin > 3 || (end - begin > 1 && text.text[begin] == '0')) return {};
    std::uint32_t value = 0;
    for (std::size_t i = begin; i < end; ++i)
      value = value * 10 + static_cast<std::uint32_t>(text.text[i] - '0');
    if (value > 255) return {};
    address = address << 8 | value;
    largest = std::max(largest, value);
    small += value < 10;
  }
  const char after = text.at(end);
  if (is_word(after) || after == '@') return {};
  if ((after == '.' || after == '-') && is_word(text.at(end + 1))) return {};
  if (small >= 2 || largest < 32 || !is_public(address) || version_before(text, at)) return {};
  return {at, end};
}

Span find_ipv6(const MaskedText& text, std::size_t at) {
  constexpr int kGroups = 8;
  const char before = text.before(at);
  if (is_word(before) || before == '.' || before == ':' || before == '-') return {};
  if (text.at(at) != '2' && text.at(at) != '3') return {};
  std::array<std::uint32_t, kGroups> groups{};
  int count = 0;
  bool shortened = false;
  std::size_t end = at;
  for (std::size_t i = at; count < kGroups;) {
    const std::size_t begin = i;
    std::uint32_t value = 0;
    for (; i < text.text.size() && is_hex(text.text[i]); ++i) {
      if (i - begin == 4) return {};
      const char c = text.text[i];
      value =
          value << 4 | static_cast<std::uint32_t>(is_digit(c) ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    if (i == begin || (count == 0 && i - begin != 4)) break;
    groups[static_cast<std::size_t>(count++)] = value;
    end = i;
    if (text.at(i) != ':') break;
    ++i;
    if (text.at(i) == ':') {
      if (shortened) return {};
      shortened = true;
      ++i;
    }
  }
  if (shortened ? count < 3 || count == kGroups : count != kGroups) return {};
  const char after = text.at(end);
  if (is_word(after) || after == ':' || (after == '.' && is_word(text.at(end + 1)))) return {};
  const bool documentation = groups[0] == 0x2001 && groups[1] == 0x0DB8;
  const bool protocols = groups[0] == 0x2001 && groups[1] < 0x0200;
  return documentation || protocols ? Span{} : Span{at, end};
}

}  // namespace headrace::normalize::internal
