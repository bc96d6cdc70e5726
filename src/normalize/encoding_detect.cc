// SPDX-License-Identifier: Apache-2.0
// What are these bytes? Evidence in the order of its strength.
//
// 1. A byte order mark says it.
// 2. UTF-16 and UTF-32 of most texts hold many NULs in a pattern that no other text has.
// 3. Bytes that are valid UTF-8 with characters of three bytes are UTF-8: GBK or Latin text passes
//    that test by chance once in thousands of characters. With a few two-byte characters alone the
//    test is weak (什么 in GBK are valid UTF-8), so those go on to step 6 with UTF-8 as a
//    candidate.
// 4. One bad line does not change what a file is. Where good three-byte characters outweigh the bad
//    bytes two to one, the file is UTF-8 and its bad lines are the decoder's to refuse. (In GB18030
//    read as UTF-8 the bad bytes outweigh the good ones thirty to one, as 12 % of the characters
//    fall on accidental two-byte sequences and 2 % on three-byte ones.)
// 5. English with a few signs of windows-1252 in their places is that (english_signs.cc), unless it
//    declares something else.
// 6. The rest is weighed by models of languages in encodings (legacy_detect.cc). What a header or
//    the markup declares is one more piece of evidence there.
//
// Cost: validation of the head at memory speed, nothing else for clean UTF-8.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <simdjson.h>

#include <fmt/format.h>

#include "normalize/internal/encodings.h"
#include "normalize/internal/evidence_sample.h"
#include "normalize/internal/suspects.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::size_t kControlSample = 4096;

EncodingEvidence sure(std::string encoding, double confidence, std::string why) {
  return {std::move(encoding), confidence, std::move(why), {}, {}};
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

// Whether the head can be mostly valid UTF-8: there, 44 % of the bytes above 0x7F at least are
// continuation bytes (0x80 to 0xBF). In GB18030 it is 30 %, and counting them is much faster than
// reading sequences.
bool may_be_mostly_utf8(std::string_view head) {
  std::size_t high = 0;
  std::size_t continuation = 0;
  std::size_t i = 0;
  while (i + sizeof(Bytes16) <= head.size()) {
    Mask16 highs = {};
    Mask16 continuations = {};
    for (int k = 0; k < 100 && i + sizeof(Bytes16) <= head.size(); ++k, i += sizeof(Bytes16)) {
      Bytes16 bytes;
      std::memcpy(&bytes, head.data() + i, sizeof bytes);
      highs -= within(bytes, 0x80, 0xFF);
      continuations -= within(bytes, 0x80, 0xBF);
    }
    for (std::size_t k = 0; k < sizeof(Bytes16); ++k) {
      high += static_cast<std::size_t>(highs[k]);
      continuation += static_cast<std::size_t>(continuations[k]);
    }
  }
  for (; i < head.size(); ++i) {
    const auto byte = static_cast<unsigned char>(head[i]);
    high += byte >= 0x80;
    continuation += byte >= 0x80 && byte < 0xC0;
  }
  return continuation * 100 + 100 >= high * 44;  // the end may cut a character
}

bool is_ascii(std::string_view bytes) { return find_high(bytes, 0) == bytes.size(); }

// More control characters than `percent` of its bytes.
bool looks_binary(std::string_view head, std::size_t percent) {
  const std::string_view sample = head.substr(0, kControlSample);
  std::size_t controls = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    if (i % 8 == 0 && i + 8 <= sample.size()) {  // eight bytes without any are the rule
      std::uint64_t word = 0;
      std::memcpy(&word, sample.data() + i, 8);
      const bool some = ((word - 0x2020202020202020U) & ~word & 0x8080808080808080U) != 0;
      if (!some) {
        i += 7;
        continue;
      }
    }
    const auto byte = static_cast<unsigned char>(sample[i]);
    controls += byte < 0x20 && !(byte >= '\t' && byte <= '\r') && byte != 0x0E && byte != 0x0F &&
                byte != 0x1A && byte != 0x1B;
  }
  return sample.size() >= 16 && controls * 100 > sample.size() * percent;
}

// Letters of Western Europe in words, and symbols that stand in any text: accents are common, so
// a file with a few of those is far more often UTF-8 than anything else that happens to be valid.
bool is_western(std::string_view head) {
  char32_t before = 0;
  for (std::size_t i = find_high(head, 0); i < head.size();) {
    if (i > 0) before = code_point_before(head, i).value;
    const CodePoint c = code_point_at(head, i);
    const bool latin = c.value <= 0x24F || (c.value >= 0x1E00 && c.value <= 0x1EFF);
    const bool in_word = (before | 32) >= 'a' && (before | 32) <= 'z';
    const bool western =
        c.value <= 0xFF || (c.value >= 0x2010 && c.value <= 0x2027) || (latin && in_word);
    if (!western) return false;
    i = find_high(head, i + c.length);
  }
  return true;
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

EncodingEvidence weigh_ascii(std::string_view head) {
  if (std::string shifted = seven_bit_encoding(head); !shifted.empty()) {
    return {shifted, 0.8, "escape sequences", {shifted, "utf-8"}, {}};
  }
  if (looks_binary(head, 30)) return {"", 0, "control characters: not text", {"utf-8"}, {}};
  return sure("utf-8", 1, head.empty() ? "empty" : "valid UTF-8 (ASCII)");
}

EncodingEvidence weigh(std::string_view head, bool whole, const Declaration& declaration) {
  if (byte_order_mark_length(head) > 0) return by_byte_order_mark(head);
  if (std::string wide = wide_encoding(head); !wide.empty()) {
    return sure(std::move(wide), 0.98, "pattern of NUL bytes");
  }
  if (is_ascii(head)) return weigh_ascii(head);
  const Utf8Fault fault = simdjson::validate_utf8(head.data(), head.size())
                              ? Utf8Fault{head.size(), 0, false}
                              : find_utf8_fault(head);
  const bool valid = fault.length == 0 || (fault.cut && !whole);
  const Utf8Count count =
      valid || may_be_mostly_utf8(head) ? count_utf8(head, whole, valid) : Utf8Count{};
  if (valid && count.sure_if_valid()) return sure("utf-8", 1, "valid UTF-8");
  if (valid && count.long_bytes > 0 && count.two == 0) {
    return sure("utf-8", thai_syllable(head) ? 0.8 : 0.98, "valid UTF-8");
  }
  if (looks_binary(head, 5)) return {"", 0, "control characters: not text", {}, {}};
  const bool outweighed =
      (count.long_bytes >= 9 && count.bad_bytes * 2 <= count.long_bytes) ||
      (count.two >= 24 && count.bad_bytes * 8 <= 2 * count.two + count.long_bytes);
  if (!valid && outweighed) {
    const bool few = count.bad_bytes * 16 <= 2 * count.two + count.long_bytes;
    return sure("utf-8", few ? 0.97 : 0.93, "mostly valid UTF-8");
  }
  const bool other_declared =
      !declaration.encoding.empty() && declaration.encoding != "windows-1252";
  if (const std::size_t signs = valid || other_declared ? 0 : count_english_signs(head);
      signs > 0) {
    return sure("windows-1252", 0.95,
                fmt::format("English, with {} sign{} of windows-1252 in place", signs,
                            signs == 1 ? "" : "s"));
  }
  EncodingEvidence evidence = detect_legacy(
      head, {valid, count.long_bytes > 0, fault.length == 0 && is_western(head)}, declaration);
  if (evidence.confidence >= 0.9 && !valid && utf8_lines(head) >= 0.01) {
    evidence.confidence = 0.8;
    evidence.why = "mixed with lines of UTF-8: " + evidence.why;
    evidence.candidates = {evidence.encoding, "utf-8"};
  }
  return evidence;
}

}  // namespace

EncodingEvidence detect_encoding(std::string_view head, const EncodingHints& hints) {
  const Declaration declaration = find_declaration(head, hints);
  EncodingEvidence evidence = weigh(head, hints.whole, declaration);
  evidence.declared = declaration.label;
  return evidence;
}

}  // namespace headrace::normalize::internal
