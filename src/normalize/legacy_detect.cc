// SPDX-License-Identifier: Apache-2.0
// Bytes that are neither UTF-8 nor UTF-16: uchardet's guess, never sure enough to be used unasked.
#include <algorithm>
#include <uchardet.h>

#include "normalize/internal/encodings.h"
#include "normalize/internal/utf8.h"

namespace headrace::normalize::internal {

EncodingEvidence detect_legacy(std::string_view head, bool whole) {
  (void)whole;
  uchardet_t detector = uchardet_new();
  uchardet_handle_data(detector, head.data(), std::min<std::size_t>(head.size(), 1 << 16));
  uchardet_data_end(detector);
  const std::string name = uchardet_get_charset(detector);
  uchardet_delete(detector);
  EncodingEvidence evidence{"", 0, "undetermined", {}};
  if (const Result<Encoding> encoding = resolve_encoding(name); encoding.has_value()) {
    evidence = {encoding->name, 0.6, "detected", {encoding->name}};
  }
  return evidence;
}

}  // namespace headrace::normalize::internal
