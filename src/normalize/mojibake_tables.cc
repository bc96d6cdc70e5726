// SPDX-License-Identifier: Apache-2.0
// The tables of the carriers, made from ICU's at the first use (some ten milliseconds, 1 MiB).
#include <memory>

#include "normalize/internal/encodings.h"
#include "normalize/internal/mojibake.h"

namespace headrace::normalize::internal {
namespace {

// The one character of the basic plane that `bytes` mean; 0 if there is none.
char16_t decoded(const char* converter, std::string_view bytes) {
  std::u16string text;
  std::size_t bad = 0;
  const bool whole = icu_decode_prefix(converter, bytes, &text, &bad) == bytes.size();
  return whole && text.size() == 1 ? text[0] : u'\0';
}

// Tables differ in which of these they mean: micro and mu, ohm and omega, sharp s and beta.
constexpr std::array<std::pair<char16_t, char16_t>, 3> kTwins = {
    {{0xB5, 0x3BC}, {0x2126, 0x3A9}, {0xDF, 0x3B2}}};

void fill_carriers(CarrierTables* tables) {
  constexpr std::array<const char*, kCarriers> kConverters = {
      "windows-1252", "windows-1250", "windows-1251", "macintosh", "ibm-437"};
  for (std::size_t carrier = 0; carrier < kCarriers; ++carrier) {
    auto& byte = tables->byte[carrier];
    for (unsigned value = 0x80; value <= 0xFF; ++value) {
      const char raw = static_cast<char>(value);
      if (value < 0xA0) byte[value] = static_cast<std::uint8_t>(value);
      if (const char16_t c = decoded(kConverters[carrier], {&raw, 1}); c >= 0x80)
        byte[c] = static_cast<std::uint8_t>(value);
    }
    for (const auto& [one, other] : kTwins) {
      if (byte[one] == 0) byte[one] = byte[other];
      if (byte[other] == 0) byte[other] = byte[one];
    }
    for (std::size_t c = 0; c < byte.size(); ++c) {
      const auto bit = static_cast<std::uint8_t>(1U << carrier);
      if (byte[c] >= 0xC2 && byte[c] <= 0xF4) tables->leads[c] |= bit;
      if (byte[c] >= 0x80 && byte[c] <= 0xBF) tables->follows[c] |= bit;
    }
  }
}

void fill_gbk(CarrierTables* tables) {
  for (unsigned lead = 0x81; lead <= 0xFE; ++lead) {
    for (unsigned trail = 0x40; trail <= 0xFE; ++trail) {
      const char bytes[2] = {static_cast<char>(lead), static_cast<char>(trail)};
      const char16_t c = trail == 0x7F ? u'\0' : decoded("gb18030", {bytes, 2});
      if (c < 0x80) continue;
      tables->gbk_bytes[c] = static_cast<std::uint16_t>(lead << 8 | trail);
      tables->gbk_character[lead << 8 | trail] = c;
    }
  }
}

}  // namespace

const CarrierTables& carrier_tables() {
  // Never destroyed: threads may work until the process ends.
  static const CarrierTables* const tables = [] {
    auto made = std::make_unique<CarrierTables>();
    fill_carriers(made.get());
    fill_gbk(made.get());
    return made.release();
  }();
  return *tables;
}

}  // namespace headrace::normalize::internal
