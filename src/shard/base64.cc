// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>

#include "shard/jsonl_shard.h"

namespace headrace::shard {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> kValues = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(kNoDigit);
  for (std::size_t i = 0; i < kDigits.size(); ++i) {
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<std::uint8_t>(i);
  }
  return values;
}();

}  // namespace

void append_base64(std::string_view bytes, std::string* out) {
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const std::string_view three = bytes.substr(at, 3);
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (i < three.size() ? static_cast<unsigned char>(three[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out->push_back(i <= three.size() ? kDigits[bits >> (18 - 6 * i) & 63] : '=');
    }
  }
}

std::optional<std::string> parse_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); at += 4) {
    std::string_view four = text.substr(at, 4);
    if (at + 4 == text.size()) {
      while (four.size() > 2 && four.back() == '=') four.remove_suffix(1);
    }
    std::uint32_t bits = 0;
    for (const char c : four) {
      const std::uint8_t value = kValues[static_cast<unsigned char>(c)];
      if (value == kNoDigit) return std::nullopt;
      bits = bits << 6 | value;
    }
    bits <<= 6 * (4 - four.size());
    // Digits that leave bits over are another text of the same bytes.
    if ((bits & ((std::uint32_t{1} << (8 * (4 - four.size()))) - 1)) != 0) return std::nullopt;
    for (std::size_t i = 0; i + 1 < four.size(); ++i) {
      bytes.push_back(static_cast<char>(bits >> (16 - 8 * i)));
    }
  }
  return bytes;
}

}  // namespace headrace::shard
