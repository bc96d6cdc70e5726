// SPDX-License-Identifier: Apache-2.0
// UTF-8 and UTF-16, strictly.
//
// UTF-8 is nearly all there is, so it costs one vectorised validation (simdjson) and a copy; only
// bytes that fail are looked at one by one, to name the place. UTF-16 is rare: a plain loop.
#include <cstring>
#include <simdjson.h>

#include "base/error.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    text += fmt::format("{}{:02X}", text.empty() ? "" : " ", static_cast<unsigned char>(c));
  }
  return text;
}

class Utf8Decoder final : public TextDecoder {
 public:
  std::string_view encoding() const override { return "utf-8"; }
  bool cuts_at_newline_bytes() const override { return true; }

  Result<void> decode(std::string_view bytes, std::string* text) const override {
    if (simdjson::validate_utf8(bytes.data(), bytes.size())) {
      text->assign(bytes);
      return {};
    }
    text->clear();
    const Utf8Fault fault = find_utf8_fault(bytes);
    return corrupt("byte {}: {} is {} UTF-8", fault.offset,
                   hex(bytes.substr(fault.offset, fault.length)),
                   fault.cut ? "the cut off beginning of a character in" : "not valid")
        .with_reach(Reach::kRecord);
  }

  std::size_t first_bad_byte(std::string_view bytes) const override {
    return find_utf8_fault(bytes).offset;
  }
};

class Utf16Decoder final : public TextDecoder {
 public:
  explicit Utf16Decoder(bool big_endian) : big_endian_(big_endian) {}

  std::string_view encoding() const override { return big_endian_ ? "utf-16be" : "utf-16le"; }
  bool cuts_at_newline_bytes() const override { return false; }

  Result<void> decode(std::string_view bytes, std::string* text) const override {
    text->clear();
    text->reserve(bytes.size() + bytes.size() / 2);
    const std::size_t good = scan(bytes, [&](char32_t c) { append_utf8(c, text); });
    if (good == bytes.size()) return {};
    text->clear();
    const std::string_view bad = bytes.substr(good, 2);
    return corrupt("byte {}: {} is {} in {}", good, hex(bad),
                   bad.size() < 2 ? "half a character" : "an unpaired surrogate", encoding())
        .with_reach(Reach::kRecord);
  }

  std::size_t first_bad_byte(std::string_view bytes) const override {
    return scan(bytes, [](char32_t) {});
  }

 private:
  char32_t unit(std::string_view bytes, std::size_t i) const {
    const auto a = static_cast<unsigned char>(bytes[i]);
    const auto b = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<char32_t>(big_endian_ ? a << 8 | b : b << 8 | a);
  }

  // Hands over each character; returns the offset of the first that is none.
  template <class Take>
  std::size_t scan(std::string_view bytes, Take take) const {
    std::size_t i = 0;
    while (i + 2 <= bytes.size()) {
      const char32_t high = unit(bytes, i);
      if (high < 0xD800 || high > 0xDFFF) {
        take(high);
        i += 2;
        continue;
      }
      if (high > 0xDBFF || i + 4 > bytes.size()) return i;
      const char32_t low = unit(bytes, i + 2);
      if (low < 0xDC00 || low > 0xDFFF) return i;
      take(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00));
      i += 4;
    }
    return i;
  }

  const bool big_endian_;
};

}  // namespace

std::shared_ptr<const TextDecoder> make_utf8_decoder() { return std::make_shared<Utf8Decoder>(); }

std::shared_ptr<const TextDecoder> make_utf16_decoder(bool big_endian) {
  return std::make_shared<Utf16Decoder>(big_endian);
}

}  // namespace headrace::normalize::internal
