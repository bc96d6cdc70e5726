// SPDX-License-Identifier: Apache-2.0
// Names of files: local paths and URIs, and what of a URI may be shown.
//
// A URI may carry secrets: user:password@, or the signature of a presigned link. No message, log,
// report or run.json holds one. So above this room files go by their public name, in which secrets
// are "***"; this room remembers which URI a public name stands for and opens that. Two URIs that
// differ in their secrets alone name one file, so the later one may serve for both.
#pragma once

#include <string>
#include <string_view>

#include "headrace/result.h"

namespace headrace::io {

// "scheme://rest". file:// is local for all functions of this room.
bool is_uri(std::string_view path);
// A URI of something that is not in the local file system. That of a file on another machine
// (file://host/x) is one, too, which no function here opens.
bool is_remote(std::string_view path);
// "file:///a%20b", "file://localhost/a%20b" and "file:/a%20b" → "/a b"; others as they are.
std::string local_path(const std::string& path);

// Without the query of a URI: where extensions are looked for. Local paths as they are.
std::string_view without_query(std::string_view path);

// The name to show and to keep for `path`: secrets hidden, and remembered for opening. Local paths
// and URIs without secrets as they are. Thread-safe.
std::string public_name(const std::string& path);

// A text with the secrets of all URIs in it hidden.
std::string redact(std::string_view text);

// The parts of a URI, as they are written: nothing is percent-decoded.
struct Uri {
  std::string scheme;     // lower case
  std::string user;       // "user:password"; of abfs the container; "" when there is none
  std::string authority;  // host and port, or bucket
  std::string path;       // without the '/' in front
  std::string query;      // without the '?'
  std::string name;       // the public name

  // The URI of another file of the same place.
  std::string with_path(std::string_view other) const;
  // scheme://user@authority
  std::string root() const;
};

// Takes public names and whole URIs.
Result<Uri> parse_uri(const std::string& path);

}  // namespace headrace::io
