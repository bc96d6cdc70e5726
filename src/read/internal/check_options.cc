// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"
#include "read/internal/line_reader.h"

namespace headrace::read {

Result<void> check_options(const ReadOptions& options, const DecoderFactory& decoders) {
  const auto check_path = [](std::string_view option, std::string_view path) -> Result<void> {
    if (path.empty() || path.starts_with('.') || path.ends_with('.') ||
        path.find("..") != path.npos) {
      return invalid_argument("{}: '{}' is not a field name, nor names joined by dots", option,
                              path);
    }
    return {};
  };
  HEADRACE_RETURN_IF_ERROR(check_path("text", options.text_field));
  for (const std::string& path : options.keep) HEADRACE_RETURN_IF_ERROR(check_path("keep", path));
  if (options.max_record_bytes == 0) {
    return invalid_argument("max_record_bytes is 0; it must be at least 1");
  }
  if (options.encoding != "auto") HEADRACE_RETURN_IF_ERROR(decoders.declared(options.encoding));
  return {};
}

}  // namespace headrace::read
