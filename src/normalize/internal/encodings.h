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
// `bad_bytes`. Never fails for a converter of the built-in list. For the detector.
std::size_t icu_decode_prefix(const std::string& converter, std::string_view bytes,
                              std::u16string* text, std::size_t* bad_bytes);

// The evidence in order: byte order mark, NUL pattern, UTF-8, mostly UTF-8, legacy detector.
EncodingEvidence detect_encoding(std::string_view head, bool whole);

// "iso-2022-jp", "iso-2022-kr", "iso-2022-cn" or "hz-gb-2312" for ASCII that is Chinese, Japanese
// or Korean in seven bits; "" for other ASCII (seven_bit_detect.cc).
std::string seven_bit_encoding(std::string_view head);

// What bytes that are neither UTF-8 nor UTF-16 may be (legacy_detect.cc).
EncodingEvidence detect_legacy(std::string_view head, bool whole);

}  // namespace headrace::normalize::internal
