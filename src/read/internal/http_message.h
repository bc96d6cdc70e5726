// SPDX-License-Identifier: Apache-2.0
// An HTTP response as an archive holds it → its fields and its payload.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "read/internal/header_lines.h"

namespace headrace::read {

enum class PayloadState {
  kWhole,
  kCutOff,         // its coding breaks off at the end of the body
  kDamaged,        // its coding is broken inside
  kTooLong,        // beyond the limit
  kUnknownCoding,  // of a coding that is not known
};

// Single-threaded; keep one for as long as possible.
class HttpMessage {
 public:
  // Takes status line and header lines off `block`, both of which may be missing or malformed.
  void parse(std::string_view block);

  int status() const { return status_; }  // 0: there was none
  const HeaderLines& headers() const { return headers_; }

  // The body without chunks and without Content-Encoding, at most `limit` bytes of it. A body that
  // is not what its header lines say is taken as it is: servers send plain bodies under both, and
  // crawlers keep header lines of bodies that they decoded. Valid until the next call, and as long
  // as the block.
  PayloadState payload(std::uint64_t limit, std::string_view* payload);

 private:
  int status_ = 0;
  HeaderLines headers_;
  std::string_view body_;
  std::string joined_;
  std::string decoded_[2];
};

// Joins the chunks of a chunked body (RFC 9112, 7.1) in `joined`. Where what should be a chunk is
// none, that and all behind it is appended as it is. False if not even the first chunk is one.
bool join_chunks(std::string_view body, std::string* joined);

}  // namespace headrace::read
