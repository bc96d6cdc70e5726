// SPDX-License-Identifier: Apache-2.0
// Johab (KS X 1001, annex 3; code page 1361), which ICU has no table of.
//
// A syllable is its three parts in five bits each, so the 11,172 of them are arithmetic, as they
// are in Unicode. Symbols and Chinese characters are those of KS X 1001 in another order: two of
// its rows to a lead byte. They come from ICU's table of EUC-KR.
#include <algorithm>
#include <array>

#include "base/error.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

constexpr int kNo = -2;    // no such part
constexpr int kFill = -1;  // the part is missing
constexpr std::array<int, 32> kInitial = {kNo, kFill, 0,   1,   2,   3,   4,   5,   6,   7,  8,
                                          9,   10,    11,  12,  13,  14,  15,  16,  17,  18, kNo,
                                          kNo, kNo,   kNo, kNo, kNo, kNo, kNo, kNo, kNo, kNo};
constexpr std::array<int, 32> kMedial = {kNo, kNo, kFill, 0,   1,  2,   3,   4,  kNo, kNo, 5,
                                         6,   7,   8,     9,   10, kNo, kNo, 11, 12,  13,  14,
                                         15,  16,  kNo,   kNo, 17, 18,  19,  20, kNo, kNo};
constexpr std::array<int, 32> kFinal = {kNo, kFill, 1,  2,  3,  4,  5,  6,   7,   8,  9,
                                        10,  11,    12, 13, 14, 15, 16, kNo, 17,  18, 19,
                                        20,  21,    22, 23, 24, 25, 26, 27,  kNo, kNo};
// Letters that stand alone.
constexpr std::u16string_view kInitials = u"ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
constexpr std::u16string_view kFinals = u"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ";

char16_t syllable(unsigned code) {
  const int initial = kInitial[code >> 10 & 31];
  const int medial = kMedial[code >> 5 & 31];
  const int final = kFinal[code & 31];
  if (initial == kNo || medial == kNo || final == kNo) return 0;
  if (initial >= 0 && medial >= 0) {
    return static_cast<char16_t>(0xAC00 + (initial * 21 + medial) * 28 + std::max(final, 0));
  }
  const int parts = (initial >= 0) + (medial >= 0) + (final > 0);
  if (parts == 0) return u'\u3000';
  if (parts > 1) return 0;
  if (initial >= 0) return kInitials[static_cast<std::size_t>(initial)];
  if (medial >= 0) return static_cast<char16_t>(0x314F + medial);
  return kFinals[static_cast<std::size_t>(final - 1)];
}

char16_t of_ks_x_1001(unsigned lead, unsigned trail) {
  const bool known_lead = (lead >= 0xD9 && lead <= 0xDE) || (lead >= 0xE0 && lead <= 0xF9);
  const bool known_trail = (trail >= 0x31 && trail <= 0x7E) || (trail >= 0x91 && trail <= 0xFE);
  const bool letter = lead == 0xDA && trail >= 0xA1 && trail <= 0xD3;  // those of syllable()
  if (!known_lead || !known_trail || letter) return 0;
  const unsigned row = lead < 0xE0 ? 2 * (lead - 0xD9) : 2 * lead - 0x197;
  const unsigned column = trail < 0x91 ? trail - 0x31 : trail - 0x43;
  const char euc_kr[] = {static_cast<char>(0xA1 + row + column / 94),
                         static_cast<char>(0xA1 + column % 94)};
  static const std::string converter = resolve_encoding("euc-kr")->converter;
  std::u16string text;
  std::size_t bad = 0;
  icu_decode_prefix(converter, {euc_kr, 2}, &text, &bad);
  return bad == 0 && text.size() == 1 ? text[0] : u'\0';
}

class JohabDecoder final : public TextDecoder {
 public:
  std::string_view encoding() const override { return "johab"; }
  bool cuts_at_newline_bytes() const override { return true; }

  Result<void> decode(std::string_view bytes, std::string* text) const override {
    text->clear();
    const std::size_t bad = read(bytes, text);
    if (bad == bytes.size()) return {};
    text->clear();
    return bad_sequence(encoding(), bytes, bad, 1, bad + 1 == bytes.size());
  }

  std::size_t first_bad_byte(std::string_view bytes) const override {
    std::string text;
    return read(bytes, &text);
  }

 private:
  static std::size_t read(std::string_view bytes, std::string* text) {
    for (std::size_t i = 0; i < bytes.size();) {
      if (static_cast<unsigned char>(bytes[i]) < 0x80) {
        text->push_back(bytes[i++]);
        continue;
      }
      const char16_t c = i + 1 < bytes.size() ? decode_johab(bytes[i], bytes[i + 1]) : u'\0';
      if (c == 0) return i;
      append_utf8(c, text);
      i += 2;
    }
    return bytes.size();
  }
};

}  // namespace

char16_t decode_johab(char lead, char trail) {
  const auto first = static_cast<unsigned char>(lead);
  const auto second = static_cast<unsigned char>(trail);
  if (first < 0xD8) return syllable(static_cast<unsigned>(first) << 8 | second);
  return of_ks_x_1001(first, second);
}

std::shared_ptr<const TextDecoder> make_johab_decoder() { return std::make_shared<JohabDecoder>(); }

}  // namespace headrace::normalize::internal
