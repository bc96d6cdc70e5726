// SPDX-License-Identifier: Apache-2.0
// All other encodings, by ICU's tables.
//
// ICU replaces what it cannot decode by U+FFFD unless told otherwise, which would hide damage for
// good: here its callback is the one that stops. A UConverter holds state and is not thread-safe,
// so each thread keeps one per table for as long as it lives: opening one costs some microseconds,
// and lines are decoded one at a time.
#include <map>
#include <memory>

#include <unicode/ucnv.h>
#include <unicode/ustring.h>

#include "base/error.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

struct Close {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, Close>;

// This thread's converter, reset; nullptr if ICU lacks the table.
UConverter* converter_of_thread(const std::string& name) {
  thread_local std::map<std::string, Converter> converters;
  Converter& converter = converters[name];
  if (converter == nullptr) {
    UErrorCode error = U_ZERO_ERROR;
    converter.reset(ucnv_open(name.c_str(), &error));
    if (U_SUCCESS(error)) {
      ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr,
                          &error);
    }
    if (U_FAILURE(error)) converter.reset();
  } else {
    ucnv_resetToUnicode(converter.get());
  }
  return converter.get();
}

struct Bad {
  std::size_t offset = 0;
  std::size_t length = 0;  // 0: there is none
  bool cut = false;
};

// Decodes in pieces of UTF-16 handed to `take(units, count)`, up to the first bad sequence.
template <class Take>
Bad decode_until_bad(UConverter* converter, std::string_view bytes, Take take) {
  constexpr std::size_t kUnits = 4096;
  UChar buffer[kUnits];
  const char* source = bytes.data();
  const char* const end = source + bytes.size();
  for (;;) {
    UErrorCode error = U_ZERO_ERROR;
    UChar* target = buffer;
    ucnv_toUnicode(converter, &target, buffer + kUnits, &source, end, nullptr, true, &error);
    take(buffer, static_cast<std::size_t>(target - buffer));
    if (error == U_BUFFER_OVERFLOW_ERROR) continue;
    if (U_SUCCESS(error)) return {bytes.size(), 0, false};
    char invalid[32];
    std::int8_t length = sizeof invalid;
    UErrorCode ignored = U_ZERO_ERROR;
    ucnv_getInvalidChars(converter, invalid, &length, &ignored);
    // ICU stands behind the bytes that it calls bad, and has put back those that may begin another
    // character.
    const auto consumed = static_cast<std::size_t>(source - bytes.data());
    const std::size_t bad = std::min<std::size_t>(std::max<std::int8_t>(length, 1), consumed);
    return {consumed - bad, std::max<std::size_t>(bad, 1), error == U_TRUNCATED_CHAR_FOUND};
  }
}

// A pair may be split over two pieces: its first half waits in `high`.
void append_utf16(const UChar* units, std::size_t count, UChar* high, std::string* text) {
  for (std::size_t i = 0; i < count; ++i) {
    const UChar unit = units[i];
    if (unit < 0x80) {
      text->push_back(static_cast<char>(unit));
    } else if (U16_IS_LEAD(unit)) {
      *high = unit;
    } else if (U16_IS_TRAIL(unit)) {
      append_utf8(static_cast<char32_t>(U16_GET_SUPPLEMENTARY(*high, unit)), text);
    } else {
      append_utf8(unit, text);
    }
  }
}

class IcuDecoder final : public TextDecoder {
 public:
  explicit IcuDecoder(Encoding encoding) : encoding_(std::move(encoding)) {}

  std::string_view encoding() const override { return encoding_.name; }
  bool cuts_at_newline_bytes() const override { return encoding_.cuts_at_newline_bytes; }

  Result<void> decode(std::string_view bytes, std::string* text) const override {
    text->clear();
    UConverter* converter = converter_of_thread(encoding_.converter);
    if (converter == nullptr) return lost();
    text->reserve(bytes.size() + bytes.size() / 2);
    UChar high = 0;
    const Bad bad = decode_until_bad(converter, bytes, [&](const UChar* units, std::size_t count) {
      append_utf16(units, count, &high, text);
    });
    if (bad.length == 0) return {};
    text->clear();
    return bad_sequence(encoding_.name, bytes, bad.offset, bad.length, bad.cut);
  }

  std::size_t first_bad_byte(std::string_view bytes) const override {
    UConverter* converter = converter_of_thread(encoding_.converter);
    if (converter == nullptr) return 0;
    return decode_until_bad(converter, bytes, [](const UChar*, std::size_t) {}).offset;
  }

 private:
  Status lost() const {
    return unavailable("encoding '{}': ICU could not open its table '{}'", encoding_.name,
                       encoding_.converter);
  }

  const Encoding encoding_;
};

}  // namespace

Status bad_sequence(std::string_view encoding, std::string_view bytes, std::size_t offset,
                    std::size_t length, bool cut) {
  std::string hex;
  for (const char c : bytes.substr(offset, length)) {
    hex += fmt::format("{}{:02X}", hex.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return corrupt("byte {}: {} is {} {}", offset, hex,
                 cut ? "the cut off beginning of a character in" : "not valid", encoding)
      .with_reach(Reach::kRecord);
}

Result<std::shared_ptr<const TextDecoder>> make_icu_decoder(const Encoding& encoding) {
  if (converter_of_thread(encoding.converter) == nullptr) {
    return unsupported("encoding '{}': the ICU data of this machine lack the table '{}'",
                       encoding.name, encoding.converter);
  }
  return std::make_shared<IcuDecoder>(encoding);
}

std::size_t icu_decode_prefix(const std::string& converter, std::string_view bytes,
                              std::u16string* text, std::size_t* bad_bytes, bool* cut) {
  UConverter* opened = converter_of_thread(converter);
  *bad_bytes = bytes.size();
  if (opened == nullptr) return 0;
  const Bad bad = decode_until_bad(
      opened, bytes, [&](const UChar* units, std::size_t count) { text->append(units, count); });
  *bad_bytes = bad.length;
  if (cut != nullptr) *cut = bad.cut;
  return bad.offset;
}

}  // namespace headrace::normalize::internal
