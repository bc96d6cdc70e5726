// SPDX-License-Identifier: Apache-2.0
// Files that people write: recipes and word lists.
#pragma once

#include <cstdint>
#include <string>

#include "headrace/result.h"

namespace headrace::curate {

// The bytes of a file, decompressed. More than `most` of them are an error, and so is a file
// without an end (/dev/zero).
Result<std::string> read_bounded(const std::string& path, std::uint64_t most);

}  // namespace headrace::curate
