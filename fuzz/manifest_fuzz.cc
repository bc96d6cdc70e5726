// SPDX-License-Identifier: Apache-2.0
// Any bytes as a manifest; then the same with a checksum that fits, or nothing behind the checksum
// would ever be reached. What is taken must survive being written and read again, and name no file
// outside its folder.
#include <string>

#include "base/hash.h"
#include "check.h"
#include "shard/manifest.h"

namespace {

using headrace::fuzz::check;

void parse(std::string_view text) {
  const auto manifest = headrace::shard::parse_manifest(text, "fuzz");
  if (!manifest) {
    check(manifest.error().message().starts_with("fuzz:"), "an error without the path");
    return;
  }
  for (const auto& shard : manifest->shards) {
    for (const auto& file : shard.files) {
      check(
          !file.path.starts_with("/") && ("/" + file.path + "/").find("/../") == std::string::npos,
          "a file outside the folder of the manifest");
    }
  }
  const std::string written = headrace::format_manifest(*manifest);
  const auto again = headrace::shard::parse_manifest(written, "fuzz");
  check(again.has_value(), "what was written can not be read");
  check(headrace::format_manifest(*again) == written, "written twice, two texts");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = headrace::fuzz::as_text(data, size);
  parse(text);
  const std::string_view before = text.substr(0, text.rfind("\"checksum\""));
  parse(std::string(before) + "\"checksum\": \"" + headrace::to_hex(headrace::hash128(before)) +
        "\"\n}\n");
  return 0;
}
