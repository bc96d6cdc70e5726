// SPDX-License-Identifier: Apache-2.0
// UTF-16 and UTF-32 without a mark.
//
// Most texts in them hold many NULs in a pattern that no other text has: a line feed and a blank
// are enough. Both byte orders are tried, each unit earns points for what it would be, and the
// right order wins by far. Chinese without one ASCII character shows no NUL and is not found.
#include <algorithm>
#include <array>
#include <simdjson.h>

#include "normalize/internal/encodings.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kWideSample = 8192;
constexpr std::size_t kNulSample = 4096;

// How much a 16-bit unit looks like text: 2 for what is in nearly every text, 1 for the living
// blocks, 0 for the others; negative for what no text holds.
int unit_points(unsigned unit) {
  if (unit == '\t' || unit == '\n' || unit == '\r' || (unit >= 0x20 && unit <= 0x7E)) return 2;
  if (unit < 0xA0 || (unit >= 0xE000 && unit <= 0xF8FF) || unit >= 0xFFFE) return -8;
  constexpr std::array<std::array<unsigned, 2>, 10> kLiving = {{{0x00A0, 0x024F},
                                                                {0x0370, 0x06FF},
                                                                {0x0900, 0x0E7F},
                                                                {0x1E00, 0x206F},
                                                                {0x20A0, 0x27FF},
                                                                {0x3000, 0x33FF},
                                                                {0x4E00, 0x9FFF},
                                                                {0xAC00, 0xD7A3},
                                                                {0xD800, 0xDFFF},
                                                                {0xFF00, 0xFFEF}}};
  for (const auto& block : kLiving) {
    if (unit >= block[0] && unit <= block[1]) return 1;
  }
  return 0;
}

struct WidePoints {
  int points = 0;
  int bad = 0;
  int units = 0;
  int plain = 0;  // units of 2 points

  // Two plain units at least: they are what holds the NULs of real UTF-16. One stray NUL makes one.
  bool good() const { return plain > 1 && bad * 50 <= units && points * 10 >= units * 9; }
};

WidePoints utf16_points(std::string_view sample, bool big_endian) {
  WidePoints result;
  for (std::size_t i = 0; i + 2 <= sample.size(); i += 2) {
    const unsigned a = static_cast<unsigned char>(sample[i]);
    const unsigned b = static_cast<unsigned char>(sample[i + 1]);
    const int points = unit_points(big_endian ? a << 8 | b : b << 8 | a);
    ++result.units;
    if (points < 0) {
      ++result.bad;
    } else {
      result.points += points;
      result.plain += points == 2;
    }
  }
  return result;
}

// Share of 32-bit units whose two high bytes are NUL and whose low ones are not both NUL.
bool looks_like_utf32(std::string_view sample, bool big_endian) {
  std::size_t good = 0;
  const std::size_t units = sample.size() / 4;
  for (std::size_t i = 0; i < units * 4; i += 4) {
    const std::size_t high = big_endian ? i : i + 2;
    const std::size_t low = big_endian ? i + 2 : i;
    good += sample[high] == 0 && static_cast<unsigned char>(sample[high + 1]) <= 0x10 &&
            (sample[low] != 0 || sample[low + 1] != 0);
  }
  return units > 0 && good * 20 >= units * 19;
}

}  // namespace

std::string wide_encoding(std::string_view head) {
  if (head.substr(0, kNulSample).find('\0') == std::string_view::npos) return {};
  const std::string_view sample = head.substr(0, kWideSample);
  if (looks_like_utf32(sample, false)) return "utf-32le";
  if (looks_like_utf32(sample, true)) return "utf-32be";
  // UTF-16 that is also valid UTF-8 is nearly all ASCII, so half NULs; honest UTF-8 may hold a few.
  const auto nuls = static_cast<std::size_t>(std::count(sample.begin(), sample.end(), '\0'));
  if (nuls * 10 < sample.size() && simdjson::validate_utf8(head.data(), head.size())) return {};
  const WidePoints little = utf16_points(sample, false);
  const WidePoints big = utf16_points(sample, true);
  const int little_score = little.points - 8 * little.bad;
  const int big_score = big.points - 8 * big.bad;
  const bool is_little = little.good() && little_score >= 2 * big_score;
  const bool is_big = big.good() && big_score >= 2 * little_score;
  if (!is_little && !is_big) return {};
  // Small binary files may look like it; they hardly decode.
  if (make_utf16_decoder(is_big)->first_bad_byte(sample) + 4 < sample.size()) return {};
  return is_big ? "utf-16be" : "utf-16le";
}

}  // namespace headrace::normalize::internal
