// SPDX-License-Identifier: Apache-2.0
// Texts that each have an encoding of their own (pages, members of archives) → UTF-8.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "headrace/result.h"

#include "read/internal/file_encoding.h"
#include "read/reader.h"

namespace headrace::read {

struct PageHints {
  std::string_view charset;  // that a header names; "" if none does
  bool markup = false;       // what the bytes declare themselves counts as well
  bool cut = false;          // the bytes may end inside a character, which is then left out
};

// Single-threaded. What it is made from outlives it.
class PageDecoder {
 public:
  PageDecoder(const ReadOptions& options, const DecoderFactory& decoders)
      : options_(options), decoders_(decoders) {}
  PageDecoder(const PageDecoder&) = delete;
  PageDecoder& operator=(const PageDecoder&) = delete;

  // Without a byte order mark. `offset` is for messages; the outcome's text is valid until the next
  // call.
  Result<RecordDecoder::Outcome> decode(std::string_view bytes, std::uint64_t offset,
                                        const PageHints& hints);
  // Of the last page; "" if it is not known.
  const std::string& encoding() const { return encoding_.name; }

 private:
  const ReadOptions& options_;
  const DecoderFactory& decoders_;
  FileEncoding encoding_;
  RecordDecoder decoder_{encoding_};
};

}  // namespace headrace::read
