// SPDX-License-Identifier: Apache-2.0
// Encodings of one byte per character whose tables ICU lacks: ISO-8859-16 (Romanian and its
// neighbours) and VISCII (Vietnamese, RFC 1456), which has letters even among the control codes.
#include <array>

#include "base/error.h"
#include "normalize/internal/encodings.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {
namespace {

constexpr std::u16string_view kIso885916 =
    u"\u00A0ĄąŁ€„Š§š©Ș«Ź\u00ADźŻ°±ČłŽ”¶·žčș»ŒœŸżÀÁÂĂÄĆÆÇÈÉÊËÌÍÎÏĐŃÒÓÔŐÖŚŰÙÚÛÜĘȚß"
    u"àáâăäćæçèéêëìíîïđńòóôőöśűùúûüęțÿ";
constexpr std::u16string_view kViscii =
    u"ẠẮẰẶẤẦẨẬẼẸẾỀỂỄỆỐỒỔỖỘỢỚỜỞỊỎỌỈỦŨỤỲÕắằặấầẩậẽẹếềểễệốồổỗỠƠộờởịỰỨỪỬơớƯÀÁÂÃẢĂẳẵÈÉÊẺÌÍĨỳĐứÒÓÔạỷừửÙÚỹỵ"
    u"Ý"
    u"ỡưàáâãảăữẫèéêẻìíĩỉđựòóôõỏọụùúũủýợỮ";
static_assert(kIso885916.size() == 96 && kViscii.size() == 128);

using Table = std::array<char16_t, 256>;

// `last` ends the table; what lies before it is as in Unicode.
constexpr Table table_of(std::u16string_view last) {
  Table table = {};
  for (std::size_t i = 0; i < 256; ++i) {
    table[i] = i < 256 - last.size() ? static_cast<char16_t>(i) : last[i + last.size() - 256];
  }
  return table;
}

// Every byte is a character.
class TableDecoder final : public TextDecoder {
 public:
  TableDecoder(std::string_view name, const Table& table) : name_(name), table_(table) {}

  std::string_view encoding() const override { return name_; }
  bool cuts_at_newline_bytes() const override { return true; }

  Result<void> decode(std::string_view bytes, std::string* text) const override {
    text->clear();
    text->reserve(bytes.size() * 2);
    for (const char c : bytes) append_utf8(table_[static_cast<unsigned char>(c)], text);
    return {};
  }

  std::size_t first_bad_byte(std::string_view bytes) const override { return bytes.size(); }

 private:
  const std::string_view name_;
  const Table table_;
};

}  // namespace

std::shared_ptr<const TextDecoder> make_iso_8859_16_decoder() {
  return std::make_shared<TableDecoder>("iso-8859-16", table_of(kIso885916));
}

std::shared_ptr<const TextDecoder> make_viscii_decoder() {
  Table table = table_of(kViscii);
  table[0x02] = u'Ẳ';
  table[0x05] = u'Ẵ';
  table[0x06] = u'Ẫ';
  table[0x14] = u'Ỷ';
  table[0x19] = u'Ỹ';
  table[0x1E] = u'Ỵ';
  return std::make_shared<TableDecoder>("viscii", table);
}

}  // namespace headrace::normalize::internal
