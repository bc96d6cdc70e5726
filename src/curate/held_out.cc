// SPDX-License-Identifier: Apache-2.0
#include "curate/held_out.h"

#include <charconv>

#include "base/error.h"
#include "base/hash.h"

namespace headrace::curate {

std::uint64_t text_key(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c != ' ' && c != '\n' && c != '\t' && c != '\r') letters += c;
  }
  return hash64(letters);
}

Result<std::optional<double>> validation_share(const std::string& validation) {
  double share = 0;
  const bool percent = validation.ends_with('%');
  const char* end = validation.data() + validation.size() - (percent ? 1 : 0);
  const auto [at, error] = std::from_chars(validation.data(), end, share);
  if (error != std::errc() || at != end) return std::optional<double>();
  if (percent) share /= 100;
  if (share >= 0 && share < 1) return std::optional<double>(share);
  return invalid_argument("--validation is {}: it takes a share from 0 to less than 1, or a file",
                          validation);
}

}  // namespace headrace::curate
