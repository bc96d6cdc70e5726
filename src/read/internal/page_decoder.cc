// SPDX-License-Identifier: Apache-2.0
// Nine pages of ten are valid UTF-8: these are known by one look at their bytes, and nothing is
// copied. The others go the way of a file, with the page's own declarations as evidence.
#include "read/internal/page_decoder.h"

#include <algorithm>
#include <simdjson.h>

namespace headrace::read {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 20;
// A character has four bytes, so at most three of it can stand at the end.
constexpr std::size_t kMostOfCharacter = 3;

// Valid UTF-8 that may be something else: UTF-16 of ASCII is full of zero bytes, ISO-2022 and HZ
// are ASCII with escape sequences.
bool is_plainly_utf8(std::string_view bytes) {
  return bytes.find('\0') == bytes.npos && bytes.find('\x1B') == bytes.npos &&
         bytes.find('\x0E') == bytes.npos && bytes.find("~{") == bytes.npos &&
         simdjson::validate_utf8(bytes.data(), bytes.size());
}

}  // namespace

Result<RecordDecoder::Outcome> PageDecoder::decode(std::string_view bytes, std::uint64_t offset,
                                                   const PageHints& hints) {
  if (options_.encoding == "auto" && is_plainly_utf8(bytes)) {
    encoding_.name = "utf-8";
    if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
    return RecordDecoder::Outcome{bytes, {}, {}};
  }
  const EncodingHints evidence = {.whole = !hints.cut && bytes.size() <= kHeadBytes,
                                  .declared = hints.charset,
                                  .markup = hints.markup};
  HEADRACE_ASSIGN_OR_RETURN(
      encoding_, decide_encoding_of(bytes.substr(0, kHeadBytes), evidence, options_, decoders_));
  bytes.remove_prefix(std::min(encoding_.mark_bytes, bytes.size()));
  RecordDecoder::Outcome outcome = decoder_.decode(bytes, offset);
  if (!hints.cut) return outcome;
  for (std::size_t less = 1; !outcome.reason.empty() && less <= kMostOfCharacter; ++less) {
    if (less > bytes.size()) break;
    RecordDecoder::Outcome shorter = decoder_.decode(bytes.substr(0, bytes.size() - less), offset);
    if (shorter.reason.empty()) return shorter;
  }
  return outcome;
}

}  // namespace headrace::read
