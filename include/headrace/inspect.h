// SPDX-License-Identifier: Apache-2.0
// What files are, before a recipe says anything about them: format, compression, encoding, and the
// evidence for that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "headrace/result.h"

namespace headrace {

struct FileEvidence {
  std::string path;
  std::uint64_t bytes = 0;           // on disk
  std::string compression = "none";  // "none", "gzip", "zstd" ...: by the first bytes
  std::string format;                // a reader's name, or "html", "xml", "binary"; "zip", "7z",
                                     // "rar", which no reader opens; "" if unknown
  std::string encoding;              // canonical name; the likeliest if undetermined, "" if none is
  double confidence = 0;             // 0 to 1
  std::string declared;              // what the markup of the file says, as it is written there
  std::vector<std::string> candidates;  // when undetermined: what it may be, most likely first
  bool undetermined = false;            // a run would not use `encoding` unasked
  std::string why;                      // the evidence in words
  std::optional<Status> error;  // why the file could not be looked at; then no more is known
};

// Looks at the first MiB of each file, decompressed; local paths and URIs.
std::vector<FileEvidence> inspect(const std::vector<std::string>& paths);

}  // namespace headrace
