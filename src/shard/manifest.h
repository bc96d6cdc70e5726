// SPDX-License-Identifier: Apache-2.0
// Where the manifest of a shard set lies, and parsing it without a file. Its contents:
// include/headrace/shard_set.h; its form: docs/formats/manifest.md.
#pragma once

#include <string>
#include <string_view>

#include "headrace/result.h"
#include "headrace/shard_set.h"

namespace headrace::shard {

inline constexpr std::string_view kManifestName = "manifest.json";

// The manifest file of `path`, which names it or its folder.
std::string manifest_path(const std::string& path);
// The folder that the paths inside the manifest are relative to; "." for a bare file name.
std::string manifest_folder(const std::string& path);

// `path` names it in errors: Code::kCorrupt with the key; Code::kUnsupported for a newer version.
Result<Manifest> parse_manifest(std::string_view text, const std::string& path);

}  // namespace headrace::shard
