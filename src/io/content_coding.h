// SPDX-License-Identifier: Apache-2.0
// Bodies that a web server compressed: the codings of HTTP's Content-Encoding.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace headrace::io {

enum class Decoded {
  kWhole,
  kCutOff,    // the body ends before its coding does: `body` is what could be decoded
  kDamaged,   // it breaks off inside: `body` is what could be decoded
  kNotCoded,  // the bytes are not of this coding: servers say so of plain bodies, too
  kTooLong,   // more than `limit` bytes
  kUnknown,   // no coding of this name is known
};

// Replaces `body` by what `bytes` stands for. `coding` in any case: gzip, x-gzip, deflate (with and
// without zlib's header, as servers send both), br, zstd.
Decoded decode_content(std::string_view coding, std::string_view bytes, std::uint64_t limit,
                       std::string* body);

}  // namespace headrace::io
