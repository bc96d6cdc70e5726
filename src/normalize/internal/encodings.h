// SPDX-License-Identifier: Apache-2.0
// What the files of this room that deal with encodings share.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "record/text_decoder.h"

namespace headrace::normalize::internal {

// An encoding that this room can decode.
struct Encoding {
  std::string name;       // canonical, lower case: "gb18030"
  std::string converter;  // ICU's name of the table; "" for those decoded here (UTF-8, UTF-16)
  bool cuts_at_newline_bytes = true;
};

// The encoding that a person means by `name`. Unknown names are errors with a suggestion.
Result<Encoding> resolve_encoding(std::string_view name);

std::shared_ptr<const TextDecoder> make_utf8_decoder();
std::shared_ptr<const TextDecoder> make_utf16_decoder(bool big_endian);

// A decoder over an ICU table. Fails when ICU's data lacks it.
Result<std::shared_ptr<const TextDecoder>> make_icu_decoder(const Encoding& encoding);

// Decodes as much of `bytes` as the table takes and appends it to `text`; returns how many bytes
// that is. Less than bytes.size() means that the sequence there is bad; its length is put into
// `bad_bytes`, and into `cut` whether the end cuts it off. Never fails for a converter of the
// built-in list.
std::size_t icu_decode_prefix(const std::string& converter, std::string_view bytes,
                              std::u16string* text, std::size_t* bad_bytes, bool* cut = nullptr);

// The decoder of an encoding that resolve_encoding() gave.
Result<std::shared_ptr<const TextDecoder>> make_decoder(const Encoding& encoding);

// ISO-8859-16 and VISCII, whose tables ICU lacks (table_decoder.cc).
std::shared_ptr<const TextDecoder> make_iso_8859_16_decoder();
std::shared_ptr<const TextDecoder> make_viscii_decoder();

// Johab, Korean by the parts of its syllables (johab_decoder.cc). decode_johab gives the character
// of a two-byte code, 0 if there is none.
std::shared_ptr<const TextDecoder> make_johab_decoder();
char16_t decode_johab(char lead, char trail);

// GB18030, many times faster than ICU and with the same answers (gb18030_decoder.cc).
Result<std::shared_ptr<const TextDecoder>> make_gb18030_decoder(const Encoding& encoding);

// The error of a decoder that met a bad sequence at `offset`.
Status bad_sequence(std::string_view encoding, std::string_view bytes, std::size_t offset,
                    std::size_t length, bool cut);

// The evidence in order; see encoding_detect.cc.
EncodingEvidence detect_encoding(std::string_view head, const EncodingHints& hints);

// "utf-16le", "utf-32be" ... for text that shows it by the places of its NULs; "" for other bytes
// (wide_detect.cc).
std::string wide_encoding(std::string_view head);

// "iso-2022-jp", "iso-2022-kr", "iso-2022-cn" or "hz-gb-2312" for ASCII that is Chinese, Japanese
// or Korean in seven bits; "" for other ASCII (seven_bit_detect.cc).
std::string seven_bit_encoding(std::string_view head);

// What somebody says about the encoding of a text (declared_encoding.cc).
struct Declaration {
  std::string label;     // as it was written; "" if nothing was
  std::string encoding;  // our name for it; "" if we know none
  double bits = 0;       // how much it weighs
};
Declaration find_declaration(std::string_view head, const EncodingHints& hints);

// What a head is as UTF-8.
struct Utf8Facts {
  bool valid = false;
  bool long_characters = false;  // it has characters of three or four bytes
  bool western = false;          // no others than Latin letters in words, and symbols of any text
};

// How many signs of windows-1252 an English text has that is ASCII but for these; 0 for every other
// text (english_signs.cc).
std::size_t count_english_signs(std::string_view head);

// What bytes may be that no mark, pattern or UTF-8 decided (legacy_detect.cc).
EncodingEvidence detect_legacy(std::string_view head, const Utf8Facts& utf8,
                               const Declaration& declaration);

}  // namespace headrace::normalize::internal
