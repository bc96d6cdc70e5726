// SPDX-License-Identifier: Apache-2.0
// What are these bytes? Evidence in the order of its strength.
//
// 1. A byte order mark says it.
// 2. UTF-16 and UTF-32 of most texts hold many NULs in a pattern that no other text has.
// 3. Bytes that are valid UTF-8 with characters of three bytes are UTF-8: GBK or Latin text passes
//    that test by chance once in thousands of characters. With a few two-byte characters alone the
//    test is weak (什么 in GBK are valid UTF-8), so those go on to step 5 with UTF-8 as a
//    candidate.
// 4. One bad line does not change what a file is. Where good three-byte characters outweigh the bad
//    bytes two to one, the file is UTF-8 and its bad lines are the decoder's to refuse. (In GB18030
//    read as UTF-8 the bad bytes outweigh the good ones thirty to one, as 12 % of the characters
//    fall on accidental two-byte sequences and 2 % on three-byte ones.)
// 5. The rest is weighed by the legacy detector.
//
// Cost: validation of the head at memory speed, nothing else for clean UTF-8.
#include <algorithm>
#include <array>
#include <simdjson.h>

#include "normalize/internal/character_cost.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kWideSample = 8192;
constexpr std::size_t kControlSample = 4096;

EncodingEvidence sure(std::string encoding, double confidence, std::string why) {
  return {std::move(encoding), confidence, std::move(why), {}};
}

EncodingEvidence by_byte_order_mark(std::string_view head) {
  std::string encoding = "utf-8";
  const auto first = static_cast<unsigned char>(head[0]);
  if (byte_order_mark_length(head) == 2) encoding = first == 0xFF ? "utf-16le" : "utf-16be";
  if (byte_order_mark_length(head) == 4) {
    encoding = first == 0xFF ? "utf-32le" : first == 0 ? "utf-32be" : "gb18030";
  }
  return sure(encoding, 1, "byte order mark");
}

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

// UTF-16 and UTF-32 without a mark; "" if it is neither.
std::string wide_encoding(std::string_view head) {
  if (head.substr(0, kControlSample).find('\0') == std::string_view::npos) return {};
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

struct Utf8Count {
  std::size_t two = 0;         // characters of two bytes
  std::size_t long_bytes = 0;  // bytes in characters of three and four
  std::size_t bad_bytes = 0;

  // As many characters as no text in another encoding has by chance without a bad byte.
  bool sure_if_valid() const { return long_bytes >= 6 || two >= 24; }
};

// `whole` false: what the end cuts off is not bad. `valid`: the head is known to be; counting ends
// as soon as that is proof.
Utf8Count count_utf8(std::string_view head, bool whole, bool valid) {
  Utf8Count count;
  Utf8Fault fault;
  for (std::size_t i = 0; i < head.size();) {
    const std::size_t length = sequence_length(head, i, &fault);
    if (length == 0) {
      if (!fault.cut || whole) count.bad_bytes += fault.length;
      i += fault.length;
      continue;
    }
    if (length == 2) ++count.two;
    if (length > 2) count.long_bytes += length;
    if (valid && count.sure_if_valid()) break;
    i += length;
  }
  return count;
}

// More control characters than `percent` of its bytes.
bool looks_binary(std::string_view head, std::size_t percent) {
  const std::string_view sample = head.substr(0, kControlSample);
  const auto controls = std::count_if(sample.begin(), sample.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 && !(byte >= '\t' && byte <= '\r') && byte != 0x0E && byte != 0x0F &&
           byte != 0x1A && byte != 0x1B;
  });
  return sample.size() >= 16 && static_cast<std::size_t>(controls) * 100 > sample.size() * percent;
}

bool is_ascii(std::string_view bytes) {
  unsigned char all = 0;
  for (const char c : bytes) all |= static_cast<unsigned char>(c);
  return all < 0x80;
}

// True if the first three-byte character may be an everyday syllable of the Thai encodings, which
// begins with E0 or E1 and stands by itself. A letter of Vietnamese stands among ASCII letters.
bool thai_syllable(std::string_view head) {
  const auto is_letter = [&](std::size_t i) {
    return i < head.size() && (head[i] | 32) >= 'a' && (head[i] | 32) <= 'z';
  };
  const std::size_t at = head.find_first_of("\xE0\xE1");
  return at != std::string_view::npos && !(at > 0 && is_letter(at - 1)) && !is_letter(at + 3);
}

// Share of lines, among those with bytes above 0x7F, that are valid UTF-8 with three long
// characters or more. Read in another encoding they would become rare characters without an error.
double utf8_lines(std::string_view head) {
  std::size_t high = 0;
  std::size_t good = 0;
  for (std::size_t begin = 0; begin < head.size();) {
    const std::size_t end = std::min(head.find('\n', begin), head.size());
    const std::string_view line = head.substr(begin, end - begin);
    begin = end + 1;
    if (is_ascii(line)) continue;
    ++high;
    if (find_utf8_fault(line).length != 0) continue;
    good += count_utf8(line, true, false).long_bytes >= 9;
  }
  return high == 0 ? 0 : static_cast<double>(good) / static_cast<double>(high);
}

}  // namespace

EncodingEvidence detect_encoding(std::string_view head, bool whole) {
  if (byte_order_mark_length(head) > 0) return by_byte_order_mark(head);
  if (std::string wide = wide_encoding(head); !wide.empty()) {
    return sure(std::move(wide), 0.98, "pattern of NUL bytes");
  }
  if (is_ascii(head)) {
    if (std::string shifted = seven_bit_encoding(head); !shifted.empty()) {
      return {shifted, 0.8, "escape sequences", {shifted, "utf-8"}};
    }
    if (looks_binary(head, 30)) return {"", 0, "control characters: not text", {"utf-8"}};
    return sure("utf-8", 1, head.empty() ? "empty" : "valid UTF-8 (ASCII)");
  }
  const Utf8Fault fault = simdjson::validate_utf8(head.data(), head.size())
                              ? Utf8Fault{head.size(), 0, false}
                              : find_utf8_fault(head);
  const bool valid = fault.length == 0 || (fault.cut && !whole);
  const Utf8Count count = count_utf8(head, whole, valid);
  if (valid && count.sure_if_valid()) return sure("utf-8", 1, "valid UTF-8");
  if (valid && count.long_bytes > 0 && count.two == 0) {
    return sure("utf-8", thai_syllable(head) ? 0.8 : 0.98, "valid UTF-8");
  }
  if (looks_binary(head, 5)) return {"", 0, "control characters: not text", {}};
  const bool outweighed =
      (count.long_bytes >= 9 && count.bad_bytes * 2 <= count.long_bytes) ||
      (count.two >= 24 && count.bad_bytes * 8 <= 2 * count.two + count.long_bytes);
  if (!valid && outweighed) {
    const bool few = count.bad_bytes * 16 <= 2 * count.two + count.long_bytes;
    return sure("utf-8", few ? 0.97 : 0.93, "mostly valid UTF-8");
  }
  EncodingEvidence evidence = detect_legacy(head, whole);
  if (evidence.confidence >= 0.9 && utf8_lines(head) >= 0.01) {
    evidence.confidence = 0.8;
    evidence.why = "mixed with lines of UTF-8: " + evidence.why;
    evidence.candidates = {evidence.encoding, "utf-8"};
  }
  return evidence;
}

}  // namespace headrace::normalize::internal
